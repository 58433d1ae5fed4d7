-- compatible: older versions do without the index.
-- Lists and counts leave out what belongs to a deleted project, and find those projects here.
CREATE INDEX "project_hidden_idx" ON "project"("workspace_id", "id") WHERE ("deleted_at" IS NOT NULL);
