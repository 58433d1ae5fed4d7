-- compatible: older versions neither read nor write the column; the trigger keeps it right whoever makes a custom field.
ALTER TABLE "event_sequence" ADD COLUMN     "has_custom_fields" BOOLEAN NOT NULL DEFAULT false;

-- The trigger comes first: it waits for custom fields that are being made, so that none is missed by both.
CREATE FUNCTION note_custom_field() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_sequence SET has_custom_fields = true WHERE workspace_id = NEW.workspace_id AND NOT has_custom_fields;
  RETURN NULL;
END $$;

CREATE TRIGGER custom_field_noted AFTER INSERT ON custom_field FOR EACH ROW EXECUTE FUNCTION note_custom_field();

UPDATE "event_sequence" SET "has_custom_fields" = true
WHERE "workspace_id" IN (SELECT "workspace_id" FROM "custom_field");
