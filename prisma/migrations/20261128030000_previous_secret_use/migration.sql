-- compatible: older services leave these columns alone.
ALTER TABLE "api_key" ADD COLUMN     "previous_secret_last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret_last_used_ip" TEXT,
ADD COLUMN     "previous_secret_requests" INTEGER NOT NULL DEFAULT 0;
