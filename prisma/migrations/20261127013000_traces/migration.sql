-- compatible: what older versions write has no trace; its deliveries begin one.
-- AlterTable
ALTER TABLE "event" ADD COLUMN     "trace" BYTEA;
