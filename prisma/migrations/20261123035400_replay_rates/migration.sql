-- compatible: services of older versions run jobs without regard to their rate, and do not count what is left out.
-- AlterTable
ALTER TABLE "replay_job" ADD COLUMN     "left_out" JSONB,
ADD COLUMN     "per_minute" INTEGER,
ADD COLUMN     "resume_at" TIMESTAMPTZ(3);
