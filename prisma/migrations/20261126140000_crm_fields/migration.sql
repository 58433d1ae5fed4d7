-- compatible: older versions write domains and e-mails in ASCII alone, which is their punycode. Where one changes a contact
-- or a deal, it empties the address of the contact and the phones of the deal, which it does not know.
-- What `domain` and `email` hold is compared; `written` is how it was sent, where that is in another script.
ALTER TABLE "crm_domain" ADD COLUMN     "written" TEXT;
ALTER TABLE "crm_email" DROP CONSTRAINT "crm_email_emails_key",
ADD COLUMN     "shared" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "written" TEXT,
ADD CONSTRAINT "crm_email_pkey" PRIMARY KEY ("workspace_id", "email", "crm_entity_id");
CREATE INDEX "crm_domain_written_idx" ON "crm_domain"("workspace_id", "written" COLLATE "C") WHERE (written IS NOT NULL);
CREATE INDEX "crm_email_written_idx" ON "crm_email"("workspace_id", "written" COLLATE "C") WHERE (written IS NOT NULL);
-- The address of a contact belongs to it alone; that of a company or a deal may be another's as well.
CREATE UNIQUE INDEX "crm_email_emails_key" ON "crm_email"("workspace_id", "email") WHERE (NOT shared);

ALTER TABLE "crm_entity" DROP CONSTRAINT "crm_entity_company_check",
  ADD CONSTRAINT "crm_entity_company_check" CHECK ("kind" = 'company' OR (
    "website" IS NULL AND "industry" IS NULL AND "employee_count" IS NULL AND "parent_company_id" IS NULL)),
  ADD CONSTRAINT "crm_entity_address_check" CHECK ("address" IS NULL OR "kind" IN ('company', 'contact'));
