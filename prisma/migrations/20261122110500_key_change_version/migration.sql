-- compatible: a column that older versions leave alone.
-- AlterTable
ALTER TABLE "key_change" ADD COLUMN     "version" INTEGER;
