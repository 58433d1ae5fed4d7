-- compatible: columns that older versions leave alone; what they do not know they do not hold.
-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "rate_limit_burst" INTEGER,
ADD COLUMN     "rate_limit_per_minute" INTEGER;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "rate_limit_burst" INTEGER,
ADD COLUMN     "rate_limit_per_minute" INTEGER;

-- A limit has both numbers or is none.
ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_rate_limit_check" CHECK (("rate_limit_per_minute" IS NULL) = ("rate_limit_burst" IS NULL)),
  ADD CONSTRAINT "api_key_rate_limit_per_minute_check" CHECK ("rate_limit_per_minute" >= 1),
  ADD CONSTRAINT "api_key_rate_limit_burst_check" CHECK ("rate_limit_burst" >= 1);
ALTER TABLE "workspace"
  ADD CONSTRAINT "workspace_rate_limit_check" CHECK (("rate_limit_per_minute" IS NULL) = ("rate_limit_burst" IS NULL)),
  ADD CONSTRAINT "workspace_rate_limit_per_minute_check" CHECK ("rate_limit_per_minute" >= 1),
  ADD CONSTRAINT "workspace_rate_limit_burst_check" CHECK ("rate_limit_burst" >= 1);
