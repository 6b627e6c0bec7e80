/** Protected resource metadata (RFC 9728): which service hands out tokens for a resource, and how to send them. */
import { ownerPermissions } from '../access/permission.ts'
import { resourceUri } from '../access/resource-indicator.ts'
import { answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Resource } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'

/** May be kept for a while: it changes only with the settings. */
const cached = { 'Cache-Control': 'public, max-age=300', Pragma: '' } as const

const answerMetadata = (
  resource: string,
  name: string,
  reached: readonly Resource[],
  { settings }: Parts,
): Response =>
  answerJson(
    {
      resource,
      resource_name: name,
      authorization_servers: [settings.issuer],
      scopes_supported: ownerPermissions(reached),
      bearer_methods_supported: ['header', 'body', 'query'],
    },
    200,
    cached,
  )

/** `/.well-known/oauth-protected-resource`: everything of the service that takes a token. */
export const serviceMetadata = (_exchange: Exchange, parts: Parts): Response =>
  answerMetadata(parts.settings.issuer, 'Latchkey', parts.settings.resources, parts)

/** `/.well-known/oauth-protected-resource/api`: all resources. */
export const apiMetadata = (_exchange: Exchange, parts: Parts): Response =>
  answerMetadata(`${parts.settings.issuer}/api`, 'Latchkey API', parts.settings.resources, parts)

/** `/.well-known/oauth-protected-resource/api/:resource`: one resource. */
export const resourceMetadata = ({ params }: Exchange, parts: Parts): Response => {
  const { issuer, resources } = parts.settings
  const resource = resources.find(({ name }) => name === params.resource)
  if (resource === undefined) {
    throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
  }
  return answerMetadata(resourceUri(issuer, resource.name), resource.title, [resource], parts)
}
