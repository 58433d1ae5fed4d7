// Why a workspace's webhooks are late: the way of an event from the change to the receiver, a question at a time.
import { panel, percentile, rate, type Dashboard } from './panels.ts'

export const webhooksLate: Dashboard = {
  uid: 'wia-webhooks-late',
  title: 'Workspace integration API: why are webhooks late',
  rows: [
    {
      title:
        '1. Is it everyone? Where both stay at 0, the installation is in time: ask the workspace which webhook it is (5)',
      panels: [
        panel('Events that no dispatcher has taken', 's', 'The age of the oldest. If it grows: go on at 2.', [
          'max(service_outbox_oldest_seconds)',
          'oldest event',
        ]),
        panel('Deliveries that are due', 's', 'For how long the oldest has been due. If it grows: go on at 3.', [
          'max(dispatcher_oldest_due_seconds)',
          'oldest delivery',
        ]),
      ],
    },
    {
      title: '2. Events are not taken: are there dispatchers, and do notifications come?',
      panels: [
        panel('Dispatchers', 'short', 'How many run.', ['count(dispatcher_broker_up)', 'dispatchers']),
        panel(
          'RabbitMQ',
          'short',
          'At 0 events are found in the database: 2 seconds more, no longer.',
          ['min(dispatcher_broker_up)', 'dispatchers'],
          ['min(service_dependency_up{dependency="broker"})', 'services'],
        ),
        panel('How events are found', 'reqps', '`swept`: no notification came.', [
          rate('dispatcher_events_fanned_out_total', '', 'way'),
          '{{way}}',
        ]),
        panel(
          'Notifications',
          'short',
          'That wait for the broker, and that it did not take in an hour.',
          ['sum(service_event_notifications_waiting)', 'waiting'],
          ['sum(increase(service_event_notifications_lost_total[1h]))', 'lost'],
        ),
      ],
    },
    {
      title: '3. Deliveries are due and not sent: are the dispatchers, or Postgres, at their limit?',
      panels: [
        panel('Event loop of dispatchers', 'percentunit', 'Near 1: start more of them.', [
          'rate(nodejs_eventloop_active_seconds_total[$__rate_interval]) and on (instance) dispatcher_broker_up',
          '{{instance}}',
        ]),
        panel('Results that are not written', 'short', 'Above 0 for long: Postgres is the limit.', [
          'sum(dispatcher_results_unwritten)',
          'unwritten',
        ]),
        panel(
          'In memory',
          'short',
          'Many queued: webhooks have more than they take at once (`maxPerMinute`, slots, order).',
          ['sum(dispatcher_deliveries_in_flight)', 'in flight'],
          ['sum(dispatcher_deliveries_queued)', 'queued'],
        ),
        panel('Values without their key', 'short', 'Above 0: what they sign waits for SEALING_KEYS.', [
          'max(dispatcher_sealed_values{state="unknown"})',
          'unknown',
        ]),
      ],
    },
    {
      title: '4. Deliveries are sent: do receivers answer?',
      panels: [
        panel(
          'Attempts by outcome',
          'reqps',
          'Many `retry`: receivers fail, and their deliveries come later by the retry schedule.',
          [rate('dispatcher_attempts_total', '', 'outcome'), '{{outcome}}'],
        ),
        panel(
          'Why attempts failed',
          'reqps',
          'Many of one kind at once: the way out (DNS, firewall, egress proxy), not the receivers.',
          [rate('dispatcher_attempts_total', 'error!=""', 'error'), '{{error}}'],
        ),
        panel(
          'Time of attempts',
          's',
          'A receiver that takes seconds gets its deliveries that much later.',
          [percentile(0.5, 'dispatcher_attempt_duration_seconds', 'le', ''), 'half'],
          [percentile(0.99, 'dispatcher_attempt_duration_seconds', 'le', ''), '99 %'],
        ),
        panel('Deliveries that were given up', 'short', 'In an hour. They can be resent.', [
          'sum by (error) (increase(dispatcher_attempts_total{outcome="dead"}[1h]))',
          '{{error}}',
        ]),
      ],
    },
  ],
}

/** No figure names a workspace: what only it knows is on its own pages. */
export const lastStep = `### 5. It is one workspace
No figure names a workspace. Open its page *Webhooks*, or run \`npm run cli -- deliveries tail --workspace <id>\`:

- **The circuit is open** (\`circuit_open_until\`): the receiver failed five times in a row. A test event that succeeds ends the pause.
- **The webhook is paused, disabled, or has \`maxPerMinute\`**: its deliveries wait for that.
- **\`order\` is set**: each delivery waits for the one before, as long as that is tried again.
- **Attempts take seconds, or time out**: the receiver is slow. It should answer first and work later.
- **The delivery is \`delivered\`**: it was in time here. Compare \`deliveredAt\` with the log of the receiver.`
