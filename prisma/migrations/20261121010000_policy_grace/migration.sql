-- compatible: adds only, processes of the version before go on working.
-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "max_key_age_days_before" INTEGER,
ADD COLUMN     "max_key_age_from" TIMESTAMPTZ(3),
ADD COLUMN     "max_key_age_set_at" TIMESTAMPTZ(3),
ADD COLUMN     "refuse_unbound_keys_from" TIMESTAMPTZ(3),
ADD COLUMN     "require_expiry_from" TIMESTAMPTZ(3),
ADD COLUMN     "require_ip_allowlist_from" TIMESTAMPTZ(3);

ALTER TABLE "workspace"
  ADD CONSTRAINT "workspace_max_key_age_from_check" CHECK (("max_key_age_set_at" IS NULL) = ("max_key_age_from" IS NULL)),
  ADD CONSTRAINT "workspace_max_key_age_days_before_check" CHECK ("max_key_age_days_before" BETWEEN 1 AND 365);
