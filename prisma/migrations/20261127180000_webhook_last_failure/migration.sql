-- compatible: columns that older dispatchers leave alone. What they say counts while a webhook is failing.
ALTER TABLE "webhook_health" ADD COLUMN "last_status_code" INTEGER,
ADD COLUMN "last_error_code" TEXT;
