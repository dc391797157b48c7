import { httpContract } from '../../contract/http/suite.ts'
import { startCluster } from '../../helpers/cluster.ts'

/** Every request of the contract goes to the other of two processes than the one before. */
const start = async () => {
  const { nodes, stop } = await startCluster(2)
  return { url: nodes[0]!.url, urls: nodes.map(({ url }) => url), stop }
}
httpContract('origin, two processes on PostgreSQL, S3 and Redis', start, { onlyStored: true })
