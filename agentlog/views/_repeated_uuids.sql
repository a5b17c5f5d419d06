-- grain: one row per record id that several lines have
-- kept: yes
-- uuid_key: hash of the id
select hash(uuid) as uuid_key
from _events
where uuid is not null
group by hash(uuid)
having min(hash(source_path, line_no)) <> max(hash(source_path, line_no))
