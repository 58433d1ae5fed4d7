// The last 24 hours of a webhook by the hour: stacked bars, and the same numbers as a table for readers.
import type { ReactNode } from 'react'
import type { WebhookStats } from '#contract/webhook-schema.ts'
import css from './webhooks.module.css'

const [barWidth, step, height] = [30, 40, 100]

type Hour = WebhookStats['hours'][number]

export function HoursChart({ hours }: { readonly hours: readonly Hour[] }): ReactNode {
  const most = Math.max(1, ...hours.map(({ delivered, failed, pending }) => delivered + failed + pending))
  return (
    <figure className={css.chart}>
      <svg viewBox={`0 0 ${hours.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {hours.map((hour, at) => (
          <Bar key={hour.from} hour={hour} x={at * step + (step - barWidth) / 2} most={most} />
        ))}
      </svg>
      <figcaption className={css.soft}>By hour, the current one last. Most in an hour: {most}.</figcaption>
      <details>
        <summary>The same as a table</summary>
        <table className={css.numbers}>
          <thead>
            <tr>
              {['Hour', 'Delivered', 'Failed', 'Pending', 'p50', 'p95'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ from, delivered, failed, pending, p50Ms, p95Ms }) => (
              <tr key={from}>
                <th scope="row">{clock.format(new Date(from))}</th>
                <td>{delivered}</td>
                <td>{failed}</td>
                <td>{pending}</td>
                <td>{msText(p50Ms)}</td>
                <td>{msText(p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

export const msText = (ms: number | null): string => (ms === null ? '–' : `${ms} ms`)

function Bar({ hour, x, most }: { readonly hour: Hour; readonly x: number; readonly most: number }): ReactNode {
  let top = height
  return (['delivered', 'failed', 'pending'] as const).map((name) => {
    const tall = (hour[name] / most) * height
    top -= tall
    return <rect key={name} className={css[name]} x={x} y={top} width={barWidth} height={tall} />
  })
}
