-- compatible: a column that older versions leave alone. An older dispatcher sends such an event, which only sandboxes
-- have, to all webhooks that subscribe to it.
ALTER TABLE "outbox" ADD COLUMN "only_webhook_id" UUID;
