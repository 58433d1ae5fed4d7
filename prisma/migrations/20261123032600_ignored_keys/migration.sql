-- compatible: dispatchers of older versions deliver what is done with ignored keys, and so is what services of older versions record.
-- AlterTable
ALTER TABLE "event" ADD COLUMN     "key_id" UUID;

-- AlterTable
ALTER TABLE "webhook" ADD COLUMN     "ignored_key_ids" UUID[] DEFAULT ARRAY[]::UUID[];
