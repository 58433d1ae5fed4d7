-- compatible: older versions sort by the index that stays.
-- Descending as well as ascending, objects without a due date come last. No row is changed.
CREATE INDEX project_due_descending_idx ON project (workspace_id, (coalesce(due_date, '-infinity')), id);
CREATE INDEX task_due_descending_idx ON task (workspace_id, (coalesce(due_date, '-infinity')), id);
