-- compatible: indexes only.
CREATE INDEX "task_workspace_id_position_id_idx" ON "task"("workspace_id", "position", "id");
-- Ordered by meaning, not by letters; the expression is that of the sort.
CREATE INDEX project_priority_idx ON project (workspace_id, (array_position('{none,low,medium,high,urgent}'::text[], priority)), id);
CREATE INDEX task_priority_idx ON task (workspace_id, (array_position('{none,low,medium,high,urgent}'::text[], priority)), id);
