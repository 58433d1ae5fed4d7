// All texts of usage, in one place for a translation.

export const texts = {
  days30: '30 days',
  hours48: '48 hours',
  requestsBy: (by: string) => `Requests by ${by}`,
  loading: 'Loading',
}
