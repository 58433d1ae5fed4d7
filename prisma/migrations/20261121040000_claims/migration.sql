-- compatible: dispatchers of older versions find due rows without the index that is dropped, only slower.
-- Rows that wait are found webhook by webhook: one webhook with very many of them no longer lies before all others.
DROP INDEX "delivery_next_attempt_at_idx";

CREATE INDEX "delivery_webhook_id_next_attempt_at_idx" ON "delivery"("webhook_id", "next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

ALTER TABLE "delivery" ADD COLUMN     "sending_since" TIMESTAMPTZ(3);

-- Leases and the beginning of a send change no index: with room on its page such a change stays in place.
ALTER TABLE "delivery" SET (fillfactor = 80);

CREATE TABLE "dispatcher_process" (
    "owner" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispatcher_process_pkey" PRIMARY KEY ("owner")
);
