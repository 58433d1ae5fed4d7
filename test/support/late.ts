/** What the first hook makes: each member is looked up when it is read. */
export const late = <T extends object>(current: () => T | undefined): T =>
  // The proxy has no members of its own: each is the current object's.
  new Proxy({} as T, {
    get: (_none, member) => {
      const object = current()
      if (object === undefined) throw new Error('It is not there before the first hook has run')
      return Reflect.get(object, member) as unknown
    },
  })
