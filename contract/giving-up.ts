// When a webhook is given up: the dispatcher counts by it, the service tells of it.

/** After so many failed tries in a row, the first of them so long ago. */
export const failingDaysMax = 5
export const failuresMin = 20

/** Who subscribes is warned when both have come so far. */
export const warningPercents = [50, 90] as const
