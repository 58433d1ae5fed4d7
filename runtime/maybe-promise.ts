// A value that is mostly there at once and sometimes has to be waited for. Where it is there, no promise is made and no
// other work runs in between. The helper is not called `then`: a module with an export of that name cannot be imported
// dynamically, since `import()` would take it for a promise.
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with the value: at once, where it is there. */
export const andThen = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
