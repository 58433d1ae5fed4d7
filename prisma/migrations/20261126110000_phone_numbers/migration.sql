-- compatible: what versions without them leave alone. A number that one of these writes meanwhile is found by the
-- others once its list of numbers changes, or the default country of the workspace.

-- Telephone numbers are stored as they are sent. Here are the forms by which each is found: in E.164, or its digits.
-- They depend on the default country of the workspace, by which a number without a country code is read.
ALTER TABLE "workspace" ADD COLUMN "default_country" TEXT,
  -- The numbers of entities with greater ids are to be read anew. Null: none.
  ADD COLUMN "phones_read_through" UUID;
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_default_country_check" CHECK ("default_country" ~ '^[A-Z]{2}$') NOT VALID;
CREATE INDEX "workspace_reading_phones_idx" ON "workspace"("id") WHERE ("phones_read_through" IS NOT NULL);

-- In the order of C the key finds a number by its beginning, too.
CREATE TABLE "crm_phone" (
    "workspace_id" UUID NOT NULL,
    "number" TEXT COLLATE "C" NOT NULL,
    "crm_entity_id" UUID NOT NULL,

    CONSTRAINT "crm_phone_pkey" PRIMARY KEY ("workspace_id","number","crm_entity_id")
);
CREATE INDEX "crm_phone_workspace_id_crm_entity_id_idx" ON "crm_phone"("workspace_id", "crm_entity_id");
ALTER TABLE "crm_phone" ADD CONSTRAINT "crm_phone_workspace_id_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The service reads the numbers that are there already, in the background: it takes seconds for 10,000.
UPDATE "workspace" SET "phones_read_through" = '00000000-0000-0000-0000-000000000000';
