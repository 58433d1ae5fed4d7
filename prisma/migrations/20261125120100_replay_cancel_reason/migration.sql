-- compatible: versions that do not know it write no reason, and end such jobs as completed.
-- AlterTable
ALTER TABLE "replay_job" ADD COLUMN     "cancel_reason" TEXT;
