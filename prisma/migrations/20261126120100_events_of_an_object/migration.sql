-- compatible: an index.
-- The events of one object. Partitions that are added later get it as well. It leaves out no row, for each event has an
-- object: the condition keeps it out of the plans of the foreign key of deliveries, which names no object. Such a plan
-- is kept for as long as a connection lives, and on a partition that was empty when it was made it would read every
-- event of the workspace for each delivery.
CREATE INDEX "event_workspace_id_resource_id_sequence_idx" ON "event"("workspace_id", "resource_id", "sequence")
WHERE "resource_id" IS NOT NULL;
