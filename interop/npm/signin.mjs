// The sign-in of a client that is sent to an authorization server: an OAuthClientProvider of both SDKs that keeps everything in
// memory, and has the test be the person's browser. README.md describes the lines.

/** Reads --sign-in: {redirect, client?, document?}. */
export function parseSignIn(text) {
  return text === undefined ? undefined : new SignIn(JSON.parse(text));
}

class SignIn {
  #redirect;
  #client; // one that the operator has registered; else document, or what the server registers
  #tokens;
  #verifier;
  #discovered; // where the server sent it, until the person is back
  #asked; // where the person signs in

  constructor({ redirect, client, document }) {
    this.#redirect = redirect;
    this.#client = client;
    this.clientMetadataUrl = document;
  }

  get redirectUrl() {
    return this.#redirect;
  }

  get clientMetadata() {
    return {
      client_name: 'A host',
      redirect_uris: [this.#redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state = () => 'the state';
  clientInformation = () => this.#client;
  saveClientInformation = (client) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens) => void (this.#tokens = tokens);
  saveCodeVerifier = (verifier) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (found) => void (this.#discovered = found);
  discoveryState = () => this.#discovered;
  redirectToAuthorization = (url) => void (this.#asked = url);

  /**
   * Connects by open. Where the server wants a sign-in first, the test is shown where, hands back the address that the person
   * was sent to, and open is called again.
   */
  async connect(open, show, nextLine) {
    try {
      return await open();
    } catch (error) {
      if (error.constructor.name !== 'UnauthorizedError' || !this.#asked) throw error;
    }
    show({ event: 'sign-in', url: this.#asked.href, client: this.#client?.client_id });
    const { searchParams } = new URL((await nextLine()).back);
    await this.transport.finishAuth(searchParams.get('code'), searchParams.get('iss') ?? undefined);
    return await open();
  }
}
