-- compatible: older versions neither read nor write the columns.
-- An installation that was restored from a backup: prisma/restore.ts.
ALTER TABLE "installation" ADD COLUMN     "beat" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "epoch" UUID,
ADD COLUMN     "held_since" TIMESTAMPTZ(3),
ADD COLUMN     "identity" UUID NOT NULL DEFAULT gen_random_uuid(),
ADD COLUMN     "rewound_at" TIMESTAMPTZ(3);

ALTER TABLE "event_sequence" ADD COLUMN     "gaps" BIGINT[] NOT NULL DEFAULT '{}';
