// The rows of a long table that are drawn: those on screen and some around them. A table that is not long is drawn as a
// whole, so that the browser finds text in all of it; so is any table while it is printed.
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type RefCallback, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { withFocused, withGaps, type Drawn } from './row-gaps.ts'

/** One page of the API. */
const drawnWholeMax = 200
const beyondScreen = 12
const usualHeight = 56

export type DrawnRows = {
  readonly body: RefObject<HTMLTableSectionElement | null>
  /** Null: all of them. */
  readonly drawn: readonly Drawn[] | null
  /** Of each row that is drawn, which has its place as `data-index`. */
  readonly measured: RefCallback<HTMLTableRowElement>
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: () => void
}

export function useDrawnRows(count: number): DrawnRows {
  const body = useRef<HTMLTableSectionElement>(null)
  const focused = useRef<number | null>(null)
  const [top, setTop] = useState(0)
  const isPrinting = usePrinting()
  const isWhole = count <= drawnWholeMax || isPrinting
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    enabled: !isWhole,
    estimateSize: () => usualHeight,
    overscan: beyondScreen,
    scrollMargin: top,
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), focused.current, count),
  })
  // What stands above the table comes and goes.
  useLayoutEffect(() => {
    if (!isWhole && body.current !== null) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
  })
  return {
    body,
    drawn: isWhole ? null : withGaps(rows.getVirtualItems(), top, rows.getTotalSize()),
    measured: rows.measureElement,
    onFocus: ({ target }) => {
      focused.current = Number(target.closest('tr')?.dataset['index'] ?? -1)
    },
    onBlur: () => {
      focused.current = null
    },
  }
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes its picture as soon as the event is over.
    const before = (): void => flushSync(() => setPrinting(true))
    const after = (): void => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return isPrinting
}
