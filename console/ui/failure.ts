/** An error in words. */
export type Failure = {
  readonly title: string
  readonly detail: string
  readonly hint: string | null
  /** Null where no answer came. */
  readonly requestId: string | null
}
