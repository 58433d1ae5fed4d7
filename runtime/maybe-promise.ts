// What is mostly there at once, and sometimes has to be waited for. Where it is there, no promise is made and nobody else
// runs in between.
export type Soon<T> = T | Promise<T>

/** What follows from the value: at once, where it is there. */
export const whenThere = <T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(next) : next(value)
