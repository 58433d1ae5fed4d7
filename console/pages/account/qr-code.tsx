// A QR code as one path of an SVG: the content security policy admits it, and it stays sharp at any size. It is black
// on white in both themes, since cameras read no other.
import type { ReactNode } from 'react'
import { encode } from 'uqr'
import css from './two-factor.module.css'

export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  // A border of four modules, which ISO/IEC 18004 asks for: scanners look for it, most of all on a dark page.
  const { data, size } = encode(text, { border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
