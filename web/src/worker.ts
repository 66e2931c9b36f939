// The service worker of the inbox: it shows a notification for each question that this browser is told of, opens the answer
// page when it is clicked, and removes it when the question closes. It keeps nothing and answers no requests.

interface Told {
	type: string;
	tag: string; // the question's id: one notification for each
	title?: string;
	body?: string;
	url?: string;
}

interface WorkerScope {
	addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
	registration: {
		showNotification(title: string, options: object): Promise<void>;
		getNotifications(filter: { tag: string }): Promise<{ close(): void }[]>;
	};
	clients: {
		matchAll(filter: object): Promise<{ url: string; focus(): Promise<unknown> }[]>;
		openWindow(url: string): Promise<unknown>;
		claim(): Promise<void>;
	};
	location: { origin: string };
	skipWaiting(): Promise<void>;
}

interface WorkerEvent {
	waitUntil(done: Promise<unknown>): void;
	data?: { json(): unknown } | null;
	notification?: { close(): void; data?: { url?: string } };
}

const worker = globalThis as unknown as WorkerScope;

/** read returns what a message says, or nothing: it is the server's, and a later server may say more. */
function read(event: WorkerEvent): Told | undefined {
	try {
		const told = event.data?.json() as Told | undefined;
		return told && typeof told.tag === "string" && typeof told.type === "string" ? told : undefined;
	} catch {
		return undefined;
	}
}

/** ours is a page of this site, or nothing: no message leads elsewhere. */
function ours(url: string | undefined): string | undefined {
	try {
		const at = new URL(url ?? "", worker.location.origin);
		return at.origin === worker.location.origin ? at.href : undefined;
	} catch {
		return undefined;
	}
}

async function pushed(told: Told | undefined): Promise<void> {
	if (told?.type === "question.closed") {
		for (const shown of await worker.registration.getNotifications({ tag: told.tag })) shown.close();
		return;
	}
	// Browsers want something to be shown for every message.
	await worker.registration.showNotification(told?.title ?? "Parley", {
		body: told?.body ?? "A question waits for your answer",
		tag: told?.tag ?? "parley",
		data: { url: ours(told?.url) ?? worker.location.origin + "/inbox" },
		icon: "/inbox/icon.svg",
		requireInteraction: true,
	});
}

async function clicked(url: string): Promise<void> {
	for (const open of await worker.clients.matchAll({ type: "window", includeUncontrolled: true })) {
		if (open.url === url) {
			await open.focus();
			return;
		}
	}
	await worker.clients.openWindow(url);
}

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("push", (event) => event.waitUntil(pushed(read(event))));
worker.addEventListener("notificationclick", (event) => {
	event.notification?.close();
	event.waitUntil(clicked(ours(event.notification?.data?.url) ?? worker.location.origin + "/inbox"));
});
