// Loaded before a program that `npm run dev` starts (`node --import`). The program ends with the one that has started it,
// however that ends, so that nothing holds the data folder or a port afterwards. While the sample data is made, its clock may
// be behind: what happened months ago is then done by the product itself, and not written into its tables.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

const behindMs = Number(process.env['DEV_CLOCK_BEHIND_MS'] ?? 0)
if (behindMs !== 0) {
  const System = Date
  // The embedded database asks this clock as well.
  globalThis.Date = new Proxy(System, {
    construct: (date, args: [], newTarget: typeof Date) =>
      Reflect.construct(date, args.length === 0 ? [System.now() - behindMs] : args, newTarget) as Date,
    get: (date, name) => (name === 'now' ? () => System.now() - behindMs : (Reflect.get(date, name) as unknown)),
  })
}
