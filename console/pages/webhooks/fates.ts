/** What becomes of deliveries, as they are counted. */
export const fates = [
  { is: 'delivered', name: 'Delivered', tone: 'good' },
  { is: 'failed', name: 'Failed', tone: 'bad' },
  { is: 'pending', name: 'Pending', tone: 'calm' },
] as const
