/**
 * The script of pages that ask for a passkey, served at `/assets/passkeys.js`. It hands a form's
 * options to the browser, and the device's response to the form. It decides nothing.
 * On the login page the browser also offers passkeys where the username is typed, until somebody
 * presses the button. The page may have passwords, too, and has one script.
 */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const keys = (list) => list.map((key) => ({ ...key, id: bytes(key.id) }))

const create = async (options) => {
  const { id, response } = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: keys(options.excludeCredentials),
    },
  })
  return {
    id,
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

const get = async (options, conditions = {}) => {
  const { id, response } = await navigator.credentials.get({
    ...conditions,
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: keys(options.allowCredentials),
    },
  })
  return {
    id,
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle && text(response.userHandle),
    },
  }
}

const ways = { create, get }

const offer = new AbortController()

const offerIn = async (form) => {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  const options = JSON.parse(form.dataset.options)
  const { signal } = offer
  setTimeout(() => offer.abort(), options.timeout)
  try {
    const found = await get(options, { mediation: 'conditional', signal })
    form.elements.credential.value = JSON.stringify(found)
    form.submit()
  } catch {}
}

const enable = (form) => {
  const { passkey, options } = form.dataset
  const alert = form.querySelector('[role=alert]')
  const button = form.querySelector('button')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    offer.abort()
    alert.hidden = true
    button.disabled = true
    try {
      form.elements.credential.value = JSON.stringify(await ways[passkey](JSON.parse(options)))
      form.submit()
    } catch {
      alert.hidden = false
    }
    button.disabled = false
  })
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) enable(form)
  for (const form of document.querySelectorAll('form[data-offered]')) offerIn(form)
  for (const sentence of document.querySelectorAll('[data-passkey-needs]')) sentence.hidden = true
}
