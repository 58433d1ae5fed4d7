// What is mostly there at once, and sometimes has to be waited for. Where it is there, no promise is made and nobody else
// runs in between.
export type MaybePromise<T> = T | Promise<T>

/** What follows from the value: at once, where it is there. */
export const andThen = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
