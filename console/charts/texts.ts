// All texts of charts, in one place for a translation.

export const texts = {
  showAsTable: 'Show as table',
  asTable: (title: string) => `${title}, as table`,
  time: 'Time',
  ms: (Math: number) => `${Math} ms`,
}
