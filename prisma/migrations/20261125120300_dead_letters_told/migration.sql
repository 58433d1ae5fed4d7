-- compatible: older versions write dead letters as before; whatever writes one is noted here.
-- Each dead letter until an event has told of it. Notes are added and never changed, so that dispatchers do not wait for
-- each other. A dead letter of such an event is not noted: two webhooks that fail would tell each other of it for ever.
CREATE TABLE "untold_dead_letter" (
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "delivery_id" UUID NOT NULL,
    "error_code" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "untold_dead_letter_pkey" PRIMARY KEY ("workspace_id","webhook_id","id")
);
ALTER TABLE "webhook_health" ADD COLUMN     "dead_letters_told_at" TIMESTAMPTZ(3);

CREATE FUNCTION note_dead_letter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO untold_dead_letter (workspace_id, webhook_id, delivery_id, error_code, at)
  VALUES (NEW.workspace_id, NEW.webhook_id, NEW.id, NEW.last_error_code, coalesce(NEW.dead_lettered_at, now()));
  RETURN NULL;
END $$;
CREATE TRIGGER "delivery_dead" AFTER UPDATE ON "delivery" FOR EACH ROW
  WHEN (NEW.status = 'dead_letter' AND OLD.status <> 'dead_letter' AND NEW.event_type <> 'deliveries.dead_lettered')
  EXECUTE FUNCTION note_dead_letter();
