-- compatible: indexes.
-- The entries of one actor, about one object, of one action and of one request, in the order of the chain.
CREATE INDEX audit_entry_actor_idx ON audit_entry (workspace_id, (actor ->> 'id'), number);
CREATE INDEX audit_entry_target_idx ON audit_entry (workspace_id, (target ->> 'id'), number) WHERE target IS NOT NULL;
CREATE INDEX "audit_entry_workspace_id_action_number_idx" ON "audit_entry"("workspace_id", "action", "number");
CREATE INDEX "audit_entry_workspace_id_request_id_number_idx" ON "audit_entry"("workspace_id", "request_id", "number");
