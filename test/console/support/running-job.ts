// A job that is seen while it runs.
import type { System } from '../../support/system.ts'

/** Of its 100 objects 40 are done, and it stays like that: no worker takes it within the next hour. */
export async function keepRunning({ db }: Pick<System, 'db'>, id: string): Promise<void> {
  const leaseUntil = new Date(Date.now() + 3_600_000)
  await db.job.updateMany({
    where: { id },
    data: { status: 'running', endedAt: null, leaseUntil, leaseOwner: null, total: 100, done: 40 },
  })
}
