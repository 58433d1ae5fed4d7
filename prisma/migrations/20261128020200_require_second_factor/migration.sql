-- compatible: a column that older versions do not write.
-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "require_second_factor_from" TIMESTAMPTZ(3);
