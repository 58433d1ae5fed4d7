-- compatible: adds only, processes of the version before go on working.
-- CreateTable
CREATE TABLE "gateway_report" (
    "id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gateway_report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key_change" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "key_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "gateway_report_received_at_idx" ON "gateway_report"("received_at");

-- CreateIndex
CREATE INDEX "key_change_made_at_idx" ON "key_change"("made_at");
