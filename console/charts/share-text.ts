const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** `2.4%`. A part that is not nothing is never shown as nothing, and one that is not all never as all. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = part / whole
  if (share > 0 && share < 0.001) return '< 0.1%'
  if (share < 1 && share > 0.999) return '> 99.9%'
  return percent.format(share)
}
