// A dashboard for each tier.
import { only, panel, percentile, processRow, rate, type Dashboard } from './panels.ts'

export const gateway: Dashboard = {
  uid: 'wia-gateway',
  title: 'Workspace integration API: gateways',
  rows: [
    {
      title: 'Calls',
      panels: [
        panel('Calls by status', 'reqps', 'What callers get.', [
          rate('http_server_requests_total', `tier="gateway", ${only}`, 'status'),
          '{{status}}',
        ]),
        panel('Refusals by code', 'reqps', 'Calls that the gateways refused, by the code in the answer.', [
          rate('http_server_requests_total', `tier="gateway", code!="", ${only}`, 'code'),
          '{{code}}',
        ]),
        panel(
          'Time of successful calls',
          's',
          'From the headers of the request to the end of the response.',
          [
            percentile(0.5, 'http_server_request_duration_seconds', 'le', `tier="gateway", status="2xx", ${only}`),
            'half',
          ],
          [
            percentile(0.99, 'http_server_request_duration_seconds', 'le', `tier="gateway", status="2xx", ${only}`),
            '99 %',
          ],
        ),
        panel(
          'Where the time goes, 99 %',
          's',
          'In the gateway itself, and until the service answers.',
          [percentile(0.99, 'gateway_own_duration_seconds', 'le', `status="2xx", ${only}`), 'gateway'],
          [percentile(0.99, 'gateway_upstream_duration_seconds', 'le', `status="2xx", ${only}`), 'service'],
        ),
        panel('Calls by surface', 'reqps', 'HTTP, MCP, workspace settings, public pages.', [
          rate('http_server_requests_total', `tier="gateway", ${only}`, 'surface'),
          '{{surface}}',
        ]),
        panel('The ten operations with most calls', 'reqps', 'Names of the API.', [
          `topk(10, ${rate('http_server_requests_total', `tier="gateway", ${only}`, 'operation')})`,
          '{{operation}}',
        ]),
      ],
    },
    {
      title: 'Services',
      panels: [
        panel('Addresses of the service', 'short', 'As each gateway sees them. At 0 usable ones calls get 503.', [
          `gateway_service_addresses{${only}}`,
          '{{instance}} {{state}}',
        ]),
        panel(
          'Slots at the service',
          'short',
          'Calls that are there, and calls that wait for a slot.',
          [`sum by (holder) (gateway_slots_in_use{${only}})`, '{{holder}} in use'],
          [`sum by (holder) (gateway_slots_waiting{${only}})`, '{{holder}} waiting'],
        ),
        panel('Second tries that are left', 'short', 'At 0 no call is sent to a second address.', [
          `gateway_retries_left{${only}}`,
          '{{instance}}',
        ]),
        panel('Open MCP streams', 'short', 'They take no slot.', [`gateway_open_streams{${only}}`, '{{instance}}']),
      ],
    },
    {
      title: 'Keys and limits',
      panels: [
        panel('Age of an unnoticed key change', 's', 'About a second. Above 4, keys are fetched again and again.', [
          `gateway_invalidation_lag_seconds{${only}}`,
          '{{instance}}',
        ]),
        panel('Look-ups of keys', 'reqps', 'A miss waits for the service.', [
          rate('gateway_key_cache_lookups_total', only, 'result'),
          '{{result}}',
        ]),
        panel('Limits without Redis', 'short', '1 while a gateway counts its share alone.', [
          `gateway_rate_limit_degraded{${only}}`,
          '{{instance}}',
        ]),
        panel(
          'Traffic',
          'Bps',
          'From callers and to them.',
          [`sum(rate(http_server_received_bytes_total{${only}}[$__rate_interval]))`, 'received'],
          [`sum(rate(http_server_sent_bytes_total{${only}}[$__rate_interval]))`, 'sent'],
        ),
      ],
    },
    processRow('gateway_slots_in_use{holder="keys"}'),
  ],
}

export const service: Dashboard = {
  uid: 'wia-service',
  title: 'Workspace integration API: services',
  rows: [
    {
      title: 'Calls',
      panels: [
        panel('Calls by status', 'reqps', 'What gateways get.', [
          rate('http_server_requests_total', `tier="service", ${only}`, 'status'),
          '{{status}}',
        ]),
        panel('Refusals by code', 'reqps', 'By the code in the answer.', [
          rate('http_server_requests_total', `tier="service", code!="", ${only}`, 'code'),
          '{{code}}',
        ]),
        panel('The ten slowest operations, 99 %', 's', 'Of successful calls.', [
          `topk(10, ${percentile(0.99, 'http_server_request_duration_seconds', 'le, operation', `tier="service", status="2xx", ${only}`)})`,
          '{{operation}}',
        ]),
        panel('Calls of MCP tools', 'reqps', 'By outcome.', [
          rate('mcp_tool_calls_total', only, 'outcome'),
          '{{outcome}}',
        ]),
      ],
    },
    {
      title: 'Database',
      panels: [
        panel(
          'Slots',
          'short',
          'Calls that use the database, and calls that wait for it.',
          [`sum(service_database_slots{${only}})`, 'all'],
          [`sum(service_database_slots_in_use{${only}})`, 'in use'],
          [`sum(service_database_slots_waiting{${only}})`, 'waiting'],
        ),
        panel('Changes that wait', 'short', 'For earlier changes of their workspace.', [
          `service_changes_waiting{${only}}`,
          '{{instance}}',
        ]),
        panel(
          'Connections',
          'short',
          'Of the pool.',
          [`sum by (state) (service_database_connections{${only}})`, '{{state}}'],
          [`sum(service_database_connections_waiting{${only}})`, 'waiting for one'],
        ),
        panel('Dependencies', 'short', '1 while it is reached, 0 while it is not, or the disk is full.', [
          `min by (dependency) (service_dependency_up{${only}})`,
          '{{dependency}}',
        ]),
      ],
    },
    {
      title: 'Ledger',
      panels: [
        panel('Age of the oldest event in the outbox', 's', 'No dispatcher has taken it yet.', [
          `max(service_outbox_oldest_seconds{${only}})`,
          'oldest',
        ]),
        panel('Time with partitions ahead', 's', 'Two weeks. Below one, an alert fires.', [
          `min(service_ledger_ahead_seconds{${only}})`,
          'ahead',
        ]),
        panel('Quotas', 'percentunit', 'Of the workspace that uses most of each.', [
          `max by (quota) (service_workspace_quota_use_ratio{${only}})`,
          '{{quota}}',
        ]),
        panel('Audit entries that were lost', 'short', 'In an hour.', [
          `sum by (kind) (increase(service_audit_entries_lost_total{${only}}[1h]))`,
          '{{kind}}',
        ]),
      ],
    },
    processRow('service_database_slots'),
  ],
}

export const dispatcher: Dashboard = {
  uid: 'wia-dispatcher',
  title: 'Workspace integration API: dispatchers',
  rows: [
    {
      title: 'Deliveries',
      panels: [
        panel('Attempts by outcome', 'reqps', '`dead`: given up.', [
          rate('dispatcher_attempts_total', only, 'outcome'),
          '{{outcome}}',
        ]),
        panel('Why attempts failed', 'reqps', 'By the code that the attempt shows.', [
          rate('dispatcher_attempts_total', `error!="", ${only}`, 'error'),
          '{{error}}',
        ]),
        panel(
          'Time of attempts',
          's',
          'Mostly that of the receivers.',
          [percentile(0.5, 'dispatcher_attempt_duration_seconds', 'le', only), 'half'],
          [percentile(0.99, 'dispatcher_attempt_duration_seconds', 'le', only), '99 %'],
        ),
        panel(
          'For how long the oldest delivery has been due',
          's',
          'Those of receivers whose circuit is open left out.',
          [`max(dispatcher_oldest_due_seconds{${only}})`, 'oldest'],
        ),
      ],
    },
    {
      title: 'Work',
      panels: [
        panel(
          'In memory',
          'short',
          'Being sent, and waiting for a slot of their webhook.',
          [`sum(dispatcher_deliveries_in_flight{${only}})`, 'in flight'],
          [`sum(dispatcher_deliveries_queued{${only}})`, 'queued'],
        ),
        panel('Events that became deliveries', 'reqps', '`swept`: no notification came.', [
          rate('dispatcher_events_fanned_out_total', only, 'way'),
          '{{way}}',
        ]),
        panel('Results that are not written', 'short', 'Above 0 for long, Postgres does not take them.', [
          `sum(dispatcher_results_unwritten{${only}})`,
          'unwritten',
        ]),
        panel(
          'Claims',
          'reqps',
          'Deliveries that were claimed, and results that did not count.',
          [`sum(rate(dispatcher_deliveries_claimed_total{${only}}[$__rate_interval]))`, 'claimed'],
          [`sum(rate(dispatcher_leases_lost_total{${only}}[$__rate_interval]))`, 'lost to another'],
        ),
        panel('RabbitMQ', 'short', '1 while notifications can come.', [
          `dispatcher_broker_up{${only}}`,
          '{{instance}}',
        ]),
        panel('Sealed values', 'short', '`unknown`: what they sign waits.', [
          `max by (state) (dispatcher_sealed_values{${only}})`,
          '{{state}}',
        ]),
      ],
    },
    processRow('dispatcher_broker_up'),
  ],
}
