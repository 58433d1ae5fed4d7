import type { ReactNode } from 'react'
import css from './loading-charts.module.css'

/** As high as the charts that come, so that nothing jumps. */
export const LoadingCharts = (): ReactNode => <div className={css.loading} role="status" aria-label="Loading" />
