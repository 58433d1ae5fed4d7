-- compatible: a column that older versions leave alone. What they write of a person is found by text only.
-- The events of one key, and of one member. The conditions keep the indexes out of the plans of the foreign key of
-- deliveries, and keep what a key does out of the index of members.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE "event" ADD COLUMN "member_id" UUID;
CREATE INDEX "event_workspace_id_key_id_sequence_idx" ON "event"("workspace_id", "key_id", "sequence")
WHERE "key_id" IS NOT NULL;
CREATE INDEX "event_workspace_id_member_id_sequence_idx" ON "event"("workspace_id", "member_id", "sequence")
WHERE "member_id" IS NOT NULL;
