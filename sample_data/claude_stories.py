"""The stories of `claude/`: small coding tasks, each with one thing in it that a reader must get right.

Each story gives a `Sample`: the bytes of one file and the right figures for it. Standard library only.
"""

from __future__ import annotations

from dataclasses import replace

from claude_legacy import legacy
from claude_partial import PartialProcess
from claude_stream import HAIKU, Process, Record, Tokens, text, thinking
from packing import gzipped, pretty_array, zstd_stored
from sample import Sample


def _sample(name: str, shows: str, process: Process) -> Sample:
    return Sample(name, shows, process.lines, process.figures, process.session_id)


def healthy() -> Sample:
    """Two tools at once, an edit, the tests: nothing goes wrong. A title was made by a small model, unseen on any line."""
    p = Process("healthy", "2026-06-01T09:00:00", cwd="/home/dev/todo")
    p.hook("SessionStart:startup", "on branch main, clean")
    p.init()
    p.spend(HAIKU, Tokens(input=412, output=18))
    read, grep = (
        p.call("Read", {"file_path": "/home/dev/todo/todo.py"}),
        p.call("Grep", {"pattern": "add_argument", "path": "/home/dev/todo"}),
    )
    p.response(
        thinking("The list command prints plain text. I need to see how options are parsed."),
        text("I'll look at the command and where its options are parsed."),
        read,
        grep,
        tokens=Tokens(input=6, cache_write=14210, output=231),
    )
    p.answer(
        read, "     1\timport argparse\n     2\t\n     3\tdef show(items):\n     4\t    for item in items:\n     5\t        print(item)\n"
    )
    p.answer(grep, 'todo.py:11:parser.add_argument("--all")', detail={"mode": "content", "numFiles": 1, "filenames": [], "numLines": 1})
    edit = p.call(
        "Edit",
        {
            "file_path": "/home/dev/todo/todo.py",
            "old_string": "        print(item)",
            "new_string": "        print(json.dumps(item) if as_json else item)",
        },
    )
    p.response(edit, tokens=Tokens(input=8, cache_read=14210, cache_write=640, output=187))
    p.answer(
        edit, "The file /home/dev/todo/todo.py has been updated.", detail={"filePath": "/home/dev/todo/todo.py", "userModified": False}
    )
    tests = p.call("Bash", {"command": "pytest -q", "description": "Run the tests"})
    p.response(tests, tokens=Tokens(input=7, cache_read=14850, cache_write=310, output=96))
    p.answer(tests, "........                                   [100%]\n8 passed in 0.41s", seconds=2.4, failed=False)
    p.response(text("`todo list --json` prints one object a line; the tests pass."), tokens=Tokens(5, 15160, 180, 64))
    p.result("`todo list --json` prints one object a line; the tests pass.")
    return _sample("healthy.jsonl", "a run in which nothing goes wrong", p)


def error() -> Sample:
    """A call is refused, a test fails, and the API stays overloaded: subtype `success`, yet an error."""
    p = Process("error", "2026-06-01T14:30:00", cwd="/home/dev/todo")
    p.init()
    wipe = p.call("Bash", {"command": "rm -rf build", "description": "Remove old build output"})
    p.response(text("First I clear the old build output."), wipe, tokens=Tokens(input=6, cache_write=14320, output=88))
    p.deny(wipe)
    tests = p.call("Bash", {"command": "pytest -q", "description": "Run the tests"})
    p.response(tests, tokens=Tokens(input=7, cache_read=14320, cache_write=260, output=71))
    p.answer(tests, "Exit code 1\nFAILED test_todo.py::test_due - KeyError: 'due'", seconds=1.8, failed=True)
    for attempt, delay in enumerate([571.4, 1130.2, 2262.9], start=1):
        p.api_retry(attempt, delay, 529, "overloaded")
    said = "API Error: 529 Overloaded. This is a server-side issue, usually temporary."
    p.emit(
        {
            "type": "assistant",
            "message": {
                "id": p.uuid(),
                "model": "<synthetic>",
                "type": "message",
                "role": "assistant",
                "content": [text(said)],
                "stop_reason": "stop_sequence",
                "stop_sequence": "",
                "usage": Tokens().usage(),
            },
            "parent_tool_use_id": None,
            "session_id": p.session_id,
            "uuid": p.uuid(),
            "error": "overloaded",
        }
    )
    p.result(said, outcome="error", api_error_status=529, stop_reason="stop_sequence", terminal_reason="api_error")
    return _sample("error.jsonl", "subtype `success` with `is_error`: the outcome is `error`; a refused call is no tool error", p)


def retries_and_compaction() -> Sample:
    """Two prompts to one process; a test run again blindly, then after an edit; two retry episodes; three compactions, one failed."""
    p = Process("retries and compaction", "2026-06-02T10:00:00", cwd="/home/dev/parser")
    p.init()
    p.prompt("The float parser drops the exponent. Find out why and fix it.")
    read = p.call("Read", {"file_path": "/home/dev/parser/number.c"})
    p.response(thinking("Exponents: look at scan_digits first."), read, tokens=Tokens(input=9, cache_write=88400, output=143))
    p.answer(read, "static double scan(const char *s) {\n    /* … */\n}", seconds=0.4)
    run: Record = {"command": "make check", "description": "Build and test"}
    first = p.call("Bash", run)
    p.response(first, tokens=Tokens(input=8, cache_read=88400, cache_write=41300, output=62))
    p.answer(first, "Exit code 2\nnumber_test: 1e3 gave 1", seconds=9.5, failed=True)
    for attempt, delay in enumerate([548.8, 1097.5, 2203.0], start=1):
        p.api_retry(attempt, delay, 529, "overloaded")
    again = p.call("Bash", dict(reversed(run.items())))  # the same input, its keys in another order
    p.figures.count("tool_retries")
    p.figures.count("blind_tool_retries")
    p.response(text("Perhaps the build was stale; once more."), again, tokens=Tokens(8, 129700, 900, 77))
    p.answer(again, "Exit code 2\nnumber_test: 1e3 gave 1", seconds=9.1, failed=True)
    p.failed_compaction("Conversation too short to compact.")
    edit = p.call("Edit", {"file_path": "/home/dev/parser/number.c", "old_string": "case 'e':", "new_string": "case 'e': case 'E':"})
    p.response(edit, tokens=Tokens(input=11, cache_read=130600, cache_write=24100, output=318))
    p.answer(edit, "The file /home/dev/parser/number.c has been updated.", seconds=0.3)
    third = p.call("Bash", run)
    p.figures.count("tool_retries")
    p.response(third, tokens=Tokens(input=6, cache_read=154700, cache_write=700, output=60))
    p.answer(third, "all 214 tests passed", seconds=9.8, failed=False)
    p.compaction("auto", 155466, 9120, summary="The exponent was dropped because only 'e' was scanned; fixed in number.c, 214 tests pass.")
    p.response(text("Fixed: the scanner knew only the small e."), tokens=Tokens(input=5, cache_write=23500, output=74))
    p.result("Fixed: the scanner knew only the small e.")
    p.wait(95)
    p.init()
    p.prompt("Please add a test for it.")
    p.compaction("manual", 23579, 4200, summary="The exponent fix stands; a test for the capital E is asked for.")
    p.api_retry(1, 602.1, None, "unknown")
    write = p.call("Edit", {"file_path": "/home/dev/parser/number_test.c", "old_string": "/* end */", "new_string": "CHECK(1E3, 1000.0);"})
    p.response(write, tokens=Tokens(input=7, cache_read=14100, cache_write=6900, output=155))
    p.answer(write, "The file /home/dev/parser/number_test.c has been updated.", seconds=0.3)
    p.response(text("Added a test for 1E3."), tokens=Tokens(4, 21000, 420, 28))
    p.result("Added a test for 1E3.")
    shows = "one process, two results (a running total); retries in two episodes; compactions of three kinds"
    return _sample("retries_and_compaction.jsonl", shows, p)


def subagent() -> Sample:
    """A subagent on a smaller model: its requests are no turns, but the run's money."""
    p = Process("subagent", "2026-06-02T16:20:00", cwd="/home/dev/site", version="2.1.320")
    p.init()
    given = {"description": "Find dead links", "prompt": "Find links in docs/ that lead nowhere.", "subagent_type": "Explore"}
    task = p.call("Task", given)
    p.response(text("I'll have the docs searched for dead links."), task, tokens=Tokens(input=6, cache_write=16800, output=164))
    agent_id = p.digest("agent")[:16]
    agent: Record = {
        "parent_tool_use_id": task["id"],
        "agent_id": agent_id,
        "subagent_type": "Explore",
        "task_description": given["description"],
    }
    named: Record = {"task_id": agent_id, "tool_use_id": task["id"], "description": given["description"], "subagent_type": "Explore"}
    p.figures.count("subagents")
    p.system("task_started", **named, is_backgrounded=False, spawn_depth=1, task_type="local_agent", prompt=given["prompt"])
    p.user([text(given["prompt"])], agent)
    glob, grep = p.call("Glob", {"pattern": "docs/**/*.md"}), p.call("Bash", {"command": "grep -rn '](/old' docs"})
    p.response(glob, tokens=Tokens(input=4, cache_write=5200, output=71), model=HAIKU, agent=agent, seconds=3)
    p.answer(glob, "docs/index.md\ndocs/setup.md\ndocs/faq.md", seconds=0.2, agent=agent)
    p.response(grep, tokens=Tokens(5, 5200, 190, 58), model=HAIKU, agent=agent, seconds=3)
    p.answer(grep, "docs/faq.md:31:see [here](/old/setup)", seconds=0.2, failed=False, agent=agent)
    p.response(text("One dead link: docs/faq.md line 31."), tokens=Tokens(4, 5390, 120, 47), model=HAIKU, agent=agent, seconds=3)
    used: Record = {"total_tokens": 5561, "tool_uses": 2, "duration_ms": 9400}
    p.system("task_notification", **named, status="completed", output_file="", summary="One dead link", usage=used)
    p.answer(
        task,
        "One dead link: docs/faq.md line 31.",
        seconds=0.1,
        detail={
            "status": "completed",
            "agentId": agent_id,
            "agentType": "Explore",
            "prompt": given["prompt"],
            "content": [text("One dead link: docs/faq.md line 31.")],
            "resolvedModel": HAIKU,
            "totalToolUseCount": 2,
            "totalDurationMs": 9400,
            "totalTokens": 5561,
            "usage": Tokens(4, 5390, 120, 47).usage(),
        },
    )
    edit = p.call("Edit", {"file_path": "/home/dev/site/docs/faq.md", "old_string": "/old/setup", "new_string": "/setup"})
    p.response(edit, tokens=Tokens(input=7, cache_read=16800, cache_write=350, output=102))
    p.answer(edit, "The file /home/dev/site/docs/faq.md has been updated.", seconds=0.3)
    p.response(text("The one dead link is mended."), tokens=Tokens(4, 17150, 160, 22))
    p.result("The one dead link is mended.")
    return _sample("subagent.jsonl", "a subagent on another model: `usage` leaves it out, `modelUsage` has it", p)


def partial_messages() -> Sample:
    """Deltas around every line, and one response that came whole after a retry: `usage` leaves it out."""
    p = PartialProcess("partial messages", "2026-06-03T11:05:00", cwd="/home/dev/site", version="2.1.290")
    p.init()
    where = p.call("Bash", {"command": "git log --oneline -3", "description": "Show recent commits"})
    p.response(
        thinking("The changelog wants the last three commits."),
        text("I'll look at the recent commits."),
        where,
        tokens=Tokens(input=9, cache_write=15100, output=142),
    )
    p.answer(where, "1f0c2aa Mend dead link\n77ab01e Add search\n03e9d1b First page", seconds=0.3, failed=False)
    p.api_retry(1, 511.7, 529, "overloaded")
    write = p.call("Write", {"file_path": "/home/dev/site/CHANGELOG.md", "content": "# Changes\n\n- Mend dead link\n- Add search\n"})
    p.response(text("Now the changelog."), write, tokens=Tokens(7, 15100, 420, 119), whole=True)
    p.answer(write, "File created successfully at: /home/dev/site/CHANGELOG.md", seconds=0.3)
    p.response(text("CHANGELOG.md lists the last two changes."), tokens=Tokens(4, 15520, 230, 31))
    p.result("CHANGELOG.md lists the last two changes.")
    return _sample(
        "partial_messages.jsonl", "`stream_event` lines: cumulative, never added to the complete lines; one unstreamed response", p
    )


def cut_off() -> Sample:
    """Killed in the middle of a line: no result, a call that never ended, output counts that are placeholders."""
    p = Process("cut off", "2026-06-03T18:40:00", cwd="/home/dev/parser")
    p.init()
    read, build = p.call("Read", {"file_path": "/home/dev/parser/lexer.c"}), p.call("Bash", {"command": "make -j2", "description": "Build"})
    p.response(read, tokens=Tokens(input=6, cache_write=14900, output=3))
    p.answer(read, "enum token { END, NUMBER, WORD };", seconds=0.2)
    p.response(text("Now a build."), build, tokens=Tokens(input=8, cache_read=14900, cache_write=510, output=3))
    p.figures.count("pending_tool_calls")
    p.answer(build, "cc -c lexer.c\ncc -c number.c", seconds=4, failed=False)
    p.lines[-1] = p.lines[-1][:97]
    sample = _sample("cut_off.jsonl", "no result and a torn last line: `incomplete`, tokens `partial`", p)
    return replace(sample, unreadable=1, last_newline=False)


def damaged_lines() -> Sample:
    """What stderr, wrappers and crashes do to a log; the run in it is whole."""
    p = Process("damaged lines", "2026-06-04T08:15:00", cwd="/home/dev/blog")
    p.init()
    listing = p.call("Bash", {"command": "ls posts", "description": "List posts"})
    reads = [p.call("Read", {"file_path": f"/home/dev/blog/posts/{name}.md"}) for name in ("spring", "zoe", "emoji")]
    p.response(text("I'll list the posts."), listing, tokens=Tokens(input=6, cache_write=14400, output=85))
    p.answer(listing, "emoji.md\nspring.md\nzoe.md", seconds=0.2, failed=False)
    p.response(*reads, tokens=Tokens(input=7, cache_read=14400, cache_write=200, output=120))
    for read, body in zip(reads, ("Spring is here.", "By Zoë.", "A rocket: 🚀"), strict=True):
        p.answer(read, body, seconds=0.2)
    p.emit({"type": "garden_report", "plants": 3, "uuid": p.uuid(), "session_id": p.session_id})
    p.figures.count("unmodelled_events")
    p.response(text("Three posts, all in order."), tokens=Tokens(4, 14600, 330, 25))
    p.result("Three posts, all in order.")
    init, said, listed, answered, read1, read2, read3, spring, zoe, emoji, garden, last, result = p.lines
    lines = [
        b"npm warn config production Use `--omit=dev` instead.",  # unreadable: a banner
        init,
        b"",
        b"2026-06-04T08:15:07.120Z stdout F " + said,  # repaired: a log prefix
        listed + b"\r",  # fine: a line end of Windows
        b"\x00" * 64,  # unreadable: a hole in the file
        answered + b"\x00" * 12,  # repaired: the hole follows a record
        read1 + read2,  # repaired: two records on one line
        read3[:120],  # unreadable: a write that was cut; the whole line follows
        read3,
        b"42",  # unreadable: JSON, but no object
        spring,
        zoe.replace("ë".encode(), b"\xeb"),  # repaired: Latin-1 among UTF-8
        emoji.replace("🚀".encode(), b"\\ud83d"),  # repaired: half of a surrogate pair
        b"   ",
        garden,
        last,
        result,
        b"Shell cwd was reset to /home/dev/blog",  # unreadable: stderr, without a newline
    ]
    shows = "banners, prefixes, NULs, glued and cut records, bad bytes: kept, repaired where that can be, all counted"
    return Sample("damaged_lines.jsonl", shows, lines, p.figures, p.session_id, blank=2, unreadable=5, repaired=5, last_newline=False)


def resumed() -> list[Sample]:
    """One session in two processes and two files: each process counts its own money."""
    first = Process("resumed", "2026-06-04T13:00:00", cwd="/home/dev/blog")
    first.init()
    tags = first.call("Grep", {"pattern": "^tags:", "path": "/home/dev/blog/posts", "output_mode": "content"})
    first.response(tags, tokens=Tokens(input=6, cache_write=14600, output=74))
    first.answer(tags, "posts/spring.md:3:tags: season", seconds=0.3)
    first.response(text("Only spring.md has tags. Shall I add them to the others?"), tokens=Tokens(5, 14600, 180, 41))
    first.result("Only spring.md has tags. Shall I add them to the others?")
    second = Process("resumed", "2026-06-05T09:10:00", cwd="/home/dev/blog", figures=first.figures)
    second.init()
    edit = second.call("Edit", {"file_path": "/home/dev/blog/posts/zoe.md", "old_string": "# Zoë", "new_string": "tags: people\n\n# Zoë"})
    second.response(edit, tokens=Tokens(input=8, cache_write=15200, output=96))
    second.answer(edit, "The file /home/dev/blog/posts/zoe.md has been updated.", seconds=0.3)
    second.response(text("Done."), tokens=Tokens(4, 15200, 150, 12))
    second.result("Done.")
    shows = "one session, two processes, two files: costs are added"
    return [_sample("resumed_1.jsonl", shows, first), _sample("resumed_2.jsonl", "… and its second half", second)]


def archived() -> list[Sample]:
    """Two ordinary runs, compressed: gzip, and a zstandard frame of stored blocks."""
    samples = []
    for number, (name, pack) in enumerate([("archived.jsonl.gz", gzipped), ("archived.jsonl.zst", zstd_stored)], start=1):
        p = Process(name, f"2026-06-0{5 + number}T07:30:00", cwd="/home/dev/todo")
        p.init()
        look = p.call("Bash", {"command": f"git show --stat HEAD~{number}", "description": "Show a commit"})
        p.response(look, tokens=Tokens(input=5, cache_write=14000 + 100 * number, output=66))
        p.answer(look, " todo.py | 4 ++--\n 1 file changed", seconds=0.2, failed=False)
        p.response(text("It touched todo.py only."), tokens=Tokens(4, 14000 + 100 * number, 140, 15))
        p.result("It touched todo.py only.")
        samples.append(replace(_sample(name, f"a run in a {name.rpartition('.')[2]} file", p), pack=pack))
    return samples


def whole_array() -> Sample:
    """`--output-format json --verbose`: the whole run is one JSON array, here pretty-printed. Its elements are its lines."""
    p = Process("whole array", "2026-06-08T15:45:00", cwd="/home/dev/parser")
    p.init()
    look = p.call("Glob", {"pattern": "**/*.h"})
    p.response(look, tokens=Tokens(input=5, cache_write=14050, output=52))
    p.answer(look, "lexer.h\nnumber.h", seconds=0.1)
    p.response(text("Two headers."), tokens=Tokens(4, 14050, 120, 11))
    p.result("Two headers.")
    sample = _sample("whole_array.json", "the whole run as one pretty-printed JSON array: its elements are its lines", p)
    return replace(sample, pack=pretty_array)


def samples() -> list[Sample]:
    """All files of `claude/`."""
    single = [healthy(), error(), retries_and_compaction(), subagent(), partial_messages(), cut_off(), damaged_lines(), whole_array()]
    return sorted([*single, *resumed(), *archived(), *legacy()], key=lambda sample: sample.name)
