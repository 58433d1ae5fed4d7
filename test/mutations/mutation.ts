// A planted mistake: one small change of one place, as a reviewer would fear it, which compiles.

export type Mutation = {
  readonly id: string
  /** The folder that is searched. */
  readonly tier: Tier
  /** What goes wrong, and for whom. */
  readonly fear: string
  /**
   * Must match exactly once in all `.ts` and `.tsx` files of the tier. It names no file, and is about the logic rather
   * than its names, so that it is still found when files have moved.
   */
  readonly find: RegExp
  /** As of `String.replace`: `$1` is the first group. */
  readonly replace: string
  /** The tests that should notice it: those whose path has one of these words. */
  readonly tests: readonly string[]
}

type Tier = 'gateway' | 'service' | 'dispatcher' | 'contract' | 'runtime' | 'prisma' | 'console' | 'cli' | 'clients'
