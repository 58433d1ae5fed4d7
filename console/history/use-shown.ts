// The row whose details are shown beside the table. A link in them that leads to the same page with other filters, or
// to another page, closes them.
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

export function useShown<Row>(): readonly [shown: Row | null, show: (row: Row | null) => void] {
  const address = useLocation({ select: ({ href }) => href })
  const [shown, setShown] = useState<{ readonly row: Row; readonly address: string } | null>(null)
  return [
    shown?.address === address ? shown.row : null,
    (row: Row | null) => setShown(row === null ? null : { row, address }),
  ]
}
