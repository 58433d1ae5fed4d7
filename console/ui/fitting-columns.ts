// The secondary columns for which a table has no room: as few as possible, the last of them first. If the rest is still
// too wide, its words break.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import css from './data-table.module.css'

type Fit = {
  readonly leftOut: ReadonlySet<string>
  readonly isTight: boolean
}
const whole: Fit = { leftOut: new Set(), isTight: false }

export type FittingColumns = {
  /** The element that is around the table. */
  readonly frame: RefObject<HTMLDivElement | null>
  /** Their heads. */
  readonly leftOut: ReadonlySet<string>
  /** Whether words must break for the columns that stay. */
  readonly isTight: boolean
}

export function useFittingColumns(rowCount: number): FittingColumns {
  const frame = useRef<HTMLDivElement>(null)
  const [{ leftOut, isTight }, setFit] = useState(whole)
  function fit(): void {
    if (!isTooWide(frame.current)) return
    const last = lastSecondary(frame.current)
    if (last !== null) setFit((before) => ({ ...before, leftOut: new Set([...before.leftOut, last]) }))
    else if (!isTight) setFit((before) => ({ ...before, isTight: true }))
  }
  useLayoutEffect(() => setFit(whole), [rowCount])
  // After each change, before it is seen: one more column goes while the table is too wide.
  useLayoutEffect(fit)
  useEffect(() => {
    const { current } = frame
    if (current?.firstElementChild == null) return undefined
    let width = current.clientWidth
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) fit()
      // A new value, so that what fits is looked at again even if nothing was left out.
      else setFit({ ...whole })
      width = current.clientWidth
    })
    observer.observe(current)
    // The table can become wider without a new row: a cell may load its own data.
    observer.observe(current.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return { frame, leftOut, isTight }
}

const isTooWide = (frame: HTMLElement | null): frame is HTMLElement =>
  frame !== null && frame.scrollWidth > frame.clientWidth

/** Null where none is shown. */
function lastSecondary(frame: HTMLElement): string | null {
  const heads = [...frame.querySelectorAll<HTMLElement>(`th.${css.secondary}`)]
  return heads.findLast(({ offsetWidth }) => offsetWidth > 0)?.textContent ?? null
}
