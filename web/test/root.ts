export const root = new URL("../../", import.meta.url); // web/, seen from tmp/test/
