-- compatible: an index.
-- The events of one object. Partitions that are added later get it as well.
CREATE INDEX "event_workspace_id_resource_id_sequence_idx" ON "event"("workspace_id", "resource_id", "sequence");
