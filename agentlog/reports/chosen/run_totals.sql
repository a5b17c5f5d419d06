-- Neither a window nor a model is given: a run's figures are its own.
create temp view chosen_run_figures as
from chosen_whole_runs;
