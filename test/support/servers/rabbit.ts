import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'amqplib'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

// Debian's wrapper in /usr/sbin changes the user and the folders; this is the program behind it.
const binary = () => installed('/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/rabbitmq/sbin/rabbitmq-server')

export async function rabbitAnswers(url: string): Promise<void> {
  const connection = await connect(url, { timeout: 2_000 })
  await connection.close()
}

/** A broker that shares no name, port, folder or cookie with another. Null where RabbitMQ is not installed. */
export async function startRabbit(): Promise<Server | null> {
  const rabbit = binary()
  if (rabbit === null) return null
  const port = await freePort()
  const distribution = await freePort()
  const folder = privateFolder('rabbit')
  return serve({
    name: 'RabbitMQ',
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${port}\n`)
      return launch(rabbit, [], { cwd: folder, env: environment(folder, `test${port}@localhost`, distribution) })
    },
    answers: rabbitAnswers,
  })
}

function environment(folder: string, node: string, distribution: number): NodeJS.ProcessEnv {
  return {
    HOME: folder,
    RABBITMQ_NODENAME: node,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    // Without the shell in between that would turn a SIGKILL into an orphan.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
}
