var Te=globalThis,Se=Te.ShadowRoot&&(Te.ShadyCSS===void 0||Te.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,yt=Symbol(),Yt=new WeakMap,pe=class{constructor(e,n,r){if(this._$cssResult$=!0,r!==yt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(Se&&e===void 0){let r=n!==void 0&&n.length===1;r&&(e=Yt.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&Yt.set(n,e))}return e}toString(){return this.cssText}},Kt=t=>new pe(typeof t=="string"?t:t+"",void 0,yt),E=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((r,i,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+t[s+1],t[0]);return new pe(n,t,yt)},Gt=(t,e)=>{if(Se)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let r=document.createElement("style"),i=Te.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=n.cssText,t.appendChild(r)}},$t=Se?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let r of e.cssRules)n+=r.cssText;return Kt(n)})(t):t;var{is:mr,defineProperty:fr,getOwnPropertyDescriptor:gr,getOwnPropertyNames:br,getOwnPropertySymbols:vr,getPrototypeOf:yr}=Object,Ee=globalThis,Zt=Ee.trustedTypes,$r=Zt?Zt.emptyScript:"",wr=Ee.reactiveElementPolyfillSupport,he=(t,e)=>t,wt={toAttribute(t,e){switch(e){case Boolean:t=t?$r:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},en=(t,e)=>!mr(t,e),Xt={attribute:!0,type:String,converter:wt,reflect:!1,useDefault:!1,hasChanged:en};Symbol.metadata??=Symbol("metadata"),Ee.litPropertyMetadata??=new WeakMap;var M=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=Xt){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(e,r,n);i!==void 0&&fr(this.prototype,e,i)}}static getPropertyDescriptor(e,n,r){let{get:i,set:s}=gr(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:i,set(o){let c=i?.call(this);s?.call(this,o),this.requestUpdate(e,c,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Xt}static _$Ei(){if(this.hasOwnProperty(he("elementProperties")))return;let e=yr(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(he("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(he("properties"))){let n=this.properties,r=[...br(n),...vr(n)];for(let i of r)this.createProperty(i,n[i])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[r,i]of n)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[n,r]of this.elementProperties){let i=this._$Eu(n,r);i!==void 0&&this._$Eh.set(i,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let i of r)n.unshift($t(i))}else e!==void 0&&n.push($t(e));return n}static _$Eu(e,n){let r=n.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let r of n.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Gt(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,r){this._$AK(e,r)}_$ET(e,n){let r=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,r);if(i!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:wt).toAttribute(n,r.type);this._$Em=e,s==null?this.removeAttribute(i):this.setAttribute(i,s),this._$Em=null}}_$AK(e,n){let r=this.constructor,i=r._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let s=r.getPropertyOptions(i),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:wt;this._$Em=i;let c=o.fromAttribute(n,s.type);this[i]=c??this._$Ej?.get(i)??c,this._$Em=null}}requestUpdate(e,n,r,i=!1,s){if(e!==void 0){let o=this.constructor;if(i===!1&&(s=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??en)(s,n)||r.useDefault&&r.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,n,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:r,reflect:i,wrapped:s},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(n=void 0),this._$AL.set(e,n)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,s]of this._$Ep)this[i]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,s]of r){let{wrapped:o}=s,c=this[i];o!==!0||this._$AL.has(i)||c===void 0||this.C(i,void 0,s,c)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(n)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};M.elementStyles=[],M.shadowRootOptions={mode:"open"},M[he("elementProperties")]=new Map,M[he("finalized")]=new Map,wr?.({ReactiveElement:M}),(Ee.reactiveElementVersions??=[]).push("2.1.2");var xt=globalThis,tn=t=>t,Re=xt.trustedTypes,nn=Re?Re.createPolicy("lit-html",{createHTML:t=>t}):void 0,_t="$lit$",I=`lit$${Math.random().toFixed(9).slice(2)}$`,At="?"+I,kr=`<${At}>`,J=document,fe=()=>J.createComment(""),ge=t=>t===null||typeof t!="object"&&typeof t!="function",Tt=Array.isArray,ln=t=>Tt(t)||typeof t?.[Symbol.iterator]=="function",kt=`[ 	
\f\r]`,me=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,rn=/-->/g,sn=/>/g,H=RegExp(`>|${kt}(?:([^\\s"'>=/]+)(${kt}*=${kt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),on=/'/g,an=/"/g,cn=/^(?:script|style|textarea|title)$/i,St=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=St(1),_=St(2),Xi=St(3),P=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),dn=new WeakMap,F=J.createTreeWalker(J,129);function un(t,e){if(!Tt(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return nn!==void 0?nn.createHTML(e):e}var pn=(t,e)=>{let n=t.length-1,r=[],i,s=e===2?"<svg>":e===3?"<math>":"",o=me;for(let c=0;c<n;c++){let u=t[c],p,g,m=-1,y=0;for(;y<u.length&&(o.lastIndex=y,g=o.exec(u),g!==null);)y=o.lastIndex,o===me?g[1]==="!--"?o=rn:g[1]!==void 0?o=sn:g[2]!==void 0?(cn.test(g[2])&&(i=RegExp("</"+g[2],"g")),o=H):g[3]!==void 0&&(o=H):o===H?g[0]===">"?(o=i??me,m=-1):g[1]===void 0?m=-2:(m=o.lastIndex-g[2].length,p=g[1],o=g[3]===void 0?H:g[3]==='"'?an:on):o===an||o===on?o=H:o===rn||o===sn?o=me:(o=H,i=void 0);let b=o===H&&t[c+1].startsWith("/>")?" ":"";s+=o===me?u+kr:m>=0?(r.push(p),u.slice(0,m)+_t+u.slice(m)+I+b):u+I+(m===-2?c:b)}return[un(t,s+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},be=class t{constructor({strings:e,_$litType$:n},r){let i;this.parts=[];let s=0,o=0,c=e.length-1,u=this.parts,[p,g]=pn(e,n);if(this.el=t.createElement(p,r),F.currentNode=this.el.content,n===2||n===3){let m=this.el.content.firstChild;m.replaceWith(...m.childNodes)}for(;(i=F.nextNode())!==null&&u.length<c;){if(i.nodeType===1){if(i.hasAttributes())for(let m of i.getAttributeNames())if(m.endsWith(_t)){let y=g[o++],b=i.getAttribute(m).split(I),T=/([.?@])?(.*)/.exec(y);u.push({type:1,index:s,name:T[2],strings:b,ctor:T[1]==="."?Pe:T[1]==="?"?qe:T[1]==="@"?Me:B}),i.removeAttribute(m)}else m.startsWith(I)&&(u.push({type:6,index:s}),i.removeAttribute(m));if(cn.test(i.tagName)){let m=i.textContent.split(I),y=m.length-1;if(y>0){i.textContent=Re?Re.emptyScript:"";for(let b=0;b<y;b++)i.append(m[b],fe()),F.nextNode(),u.push({type:2,index:++s});i.append(m[y],fe())}}}else if(i.nodeType===8)if(i.data===At)u.push({type:2,index:s});else{let m=-1;for(;(m=i.data.indexOf(I,m+1))!==-1;)u.push({type:7,index:s}),m+=I.length-1}s++}}static createElement(e,n){let r=J.createElement("template");return r.innerHTML=e,r}};function W(t,e,n=t,r){if(e===P)return e;let i=r!==void 0?n._$Co?.[r]:n._$Cl,s=ge(e)?void 0:e._$litDirective$;return i?.constructor!==s&&(i?._$AO?.(!1),s===void 0?i=void 0:(i=new s(t),i._$AT(t,n,r)),r!==void 0?(n._$Co??=[])[r]=i:n._$Cl=i),i!==void 0&&(e=W(t,i._$AS(t,e.values),i,r)),e}var Ce=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:r}=this._$AD,i=(e?.creationScope??J).importNode(n,!0);F.currentNode=i;let s=F.nextNode(),o=0,c=0,u=r[0];for(;u!==void 0;){if(o===u.index){let p;u.type===2?p=new Z(s,s.nextSibling,this,e):u.type===1?p=new u.ctor(s,u.name,u.strings,this,e):u.type===6&&(p=new Ie(s,this,e)),this._$AV.push(p),u=r[++c]}o!==u?.index&&(s=F.nextNode(),o++)}return F.currentNode=J,i}p(e){let n=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,n),n+=r.strings.length-2):r._$AI(e[n])),n++}},Z=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,r,i){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=W(this,e,n),ge(e)?e===l||e==null||e===""?(this._$AH!==l&&this._$AR(),this._$AH=l):e!==this._$AH&&e!==P&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):ln(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==l&&ge(this._$AH)?this._$AA.nextSibling.data=e:this.T(J.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:r}=e,i=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=be.createElement(un(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(n);else{let s=new Ce(i,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(e){let n=dn.get(e.strings);return n===void 0&&dn.set(e.strings,n=new be(e)),n}k(e){Tt(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let s of e)i===n.length?n.push(r=new t(this.O(fe()),this.O(fe()),this,this.options)):r=n[i],r._$AI(s),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let r=tn(e).nextSibling;tn(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},B=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,r,i,s){this.type=1,this._$AH=l,this._$AN=void 0,this.element=e,this.name=n,this._$AM=i,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=l}_$AI(e,n=this,r,i){let s=this.strings,o=!1;if(s===void 0)e=W(this,e,n,0),o=!ge(e)||e!==this._$AH&&e!==P,o&&(this._$AH=e);else{let c=e,u,p;for(e=s[0],u=0;u<s.length-1;u++)p=W(this,c[r+u],n,u),p===P&&(p=this._$AH[u]),o||=!ge(p)||p!==this._$AH[u],p===l?e=l:e!==l&&(e+=(p??"")+s[u+1]),this._$AH[u]=p}o&&!i&&this.j(e)}j(e){e===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Pe=class extends B{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===l?void 0:e}},qe=class extends B{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==l)}},Me=class extends B{constructor(e,n,r,i,s){super(e,n,r,i,s),this.type=5}_$AI(e,n=this){if((e=W(this,e,n,0)??l)===P)return;let r=this._$AH,i=e===l&&r!==l||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,s=e!==l&&(r===l||i);i&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ie=class{constructor(e,n,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){W(this,e)}},hn={M:_t,P:I,A:At,C:1,L:pn,R:Ce,D:ln,V:W,I:Z,H:B,N:qe,U:Me,B:Pe,F:Ie},xr=xt.litHtmlPolyfillSupport;xr?.(be,Z),(xt.litHtmlVersions??=[]).push("3.3.3");var mn=(t,e,n)=>{let r=n?.renderBefore??e,i=r._$litPart$;if(i===void 0){let s=n?.renderBefore??null;r._$litPart$=i=new Z(e.insertBefore(fe(),s),s,void 0,n??{})}return i._$AI(t),i};var Et=globalThis,v=class extends M{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=mn(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return P}};v._$litElement$=!0,v.finalized=!0,Et.litElementHydrateSupport?.({LitElement:v});var _r=Et.litElementPolyfillSupport;_r?.({LitElement:v});(Et.litElementVersions??=[]).push("4.2.2");var fn="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var Le;function Ue(t){if(!Le){let r=0;Le=fn.split(" ").map(i=>r+=parseInt(i,36))}let[e,n]=[0,Le.length];for(;e<n;){let r=e+n>>1;Le[r]<=t?e=r+1:n=r}return e%2===1}function Ar(t){return Ue(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var X=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function Rt(t){return X.test(t)?"rtl":"ltr"}function Ct(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let r of t)n+=e(r.codePointAt(0))?bn(r):r;return n}function bn(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function h(t){return Sr(Ct(t,Ue))}function Ne(t){let e=h(t);return X.test(e)?`⁨${e}⁩`:e}var vn=t=>t!==9&&t!==10;function V(t){return Ct(t,e=>vn(e)&&Ue(e))}var Tr=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function L(t){return Ct(t.replace(Tr,""),e=>vn(e)&&Ar(e))}function Sr(t){return X.test(t)?t.split(`
`).map(e=>Er(e)?e:Array.from(e,n=>X.test(n)?bn(n):n).join("")).join(`
`):t}function Er(t){let e=0,n=!1;for(let{kind:r,text:i}of Pt(t)){let s=/\p{L}/u.test(i);if(r==="phrase")e++;else{if(/\p{N}/u.test(i)||s&&e>0&&!n)return!1;s&&(n=!0)}}return e<=1}var Oe=X.source,gn=`(?:(?!\\p{N})${Oe}|\\p{M})`,Rr=new RegExp(`(?<number>(?:(?=\\p{N})${Oe})+)|(?<phrase>(?=${Oe})${gn}+(?:[,.;:!?]? (?=${Oe})${gn}+)*)`,"gu");function Pt(t){let e=[],n=0,r=i=>{i>n&&e.push({text:t.slice(n,i)})};for(let i of t.matchAll(Rr))r(i.index),e.push({kind:i.groups.number===void 0?"phrase":"number",text:i[0]}),n=i.index+i[0].length;return r(t.length),e}function yn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,r,i)=>{let s=i===void 0?[n,r]:[i];if(s[0]===void 0)return e;let o=String.fromCharCode(...s.map(c=>parseInt(c,16)));return X.test(o)&&!Ue(o.codePointAt(0))?o:e})}function Q(t){try{return JSON.parse(t)}catch{return}}function f(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function x(t){return Array.isArray(t)?t:[]}function d(t){return typeof t=="string"?t:void 0}function je(t){if(Q(t)===void 0)return V(t);let e="",n=0,r=()=>`
`+"  ".repeat(n);for(let i of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(i){case"{":case"[":n++,e+=i+r();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+i:e+r()+i;break;case",":e+=i+r();break;case":":e+=": ";break;default:e+=V(i)}return e}var qt=class{#e="";#t=[];#n=!1;push(e){!this.#n&&e!==""&&(this.#n=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,r=[],i=/\r\n|\n|\r(?!$)/g,s=0;for(let o=i.exec(n);o;o=i.exec(n))this.#r(n.slice(s,o.index),r),s=i.lastIndex;return this.#e=n.slice(s),r}#r(e,n){e===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*$n(t){let e=new qt,n=new TextDecoder,r=t.getReader();try{for(;;){let{done:i,value:s}=await r.read();if(i)return;yield e.push(n.decode(s,{stream:!0}))}}finally{r.cancel().catch(()=>{})}}var ve=class extends Error{constructor(n,r){super(r||"Something went wrong at the server. Try again.");this.status=n}status},Cr="The server could not be reached. Check your connection and try again.";async function A(t,e={}){return Q(await(await wn(t,e)).text())}async function wn(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(i){throw e.signal?.aborted?i:new ve(0,Cr)}if(n.ok)return n;n.status===401&&Pr();let r=f(Q(await n.text().catch(()=>"")));throw new ve(n.status,d(r?.detail)??d(r?.error))}function Pr(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var qr=429,kn=1e4;async function xn(t,e,n){let r=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let i=1e3;;i=Math.min(2*i,kn))try{await A(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:r,headers:{"content-type":"application/json"}});return}catch(s){if(!(s instanceof ve)||s.status!==qr)throw s;await An(i)}}async function _n(t,e,n){for(let r=500;!n.aborted;r=Math.min(2*r,kn)){try{let i=await wn(`/api/elicitations/events?user=${encodeURIComponent(t)}`,{signal:n});for await(let s of $n(i.body)){r=500,e.connected(!0);for(let o of s)Mr(e,f(Q(o)))}}catch{}if(n.aborted)return;e.connected(!1),await An(r)}}function Mr(t,e){e?.id===void 0?t.reload():t.item(e)}var An=t=>new Promise(e=>setTimeout(e,t));var $=E`
  :host {
    color-scheme: light dark;
    --_background: var(--parley-background, light-dark(#ffffff, #15171b));
    --_surface: var(--parley-surface, light-dark(#ffffff, #1e2127));
    --_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
    --_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
    --_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
    --_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
    --_line: var(--parley-line, light-dark(#7f8796, #7d8594));
    --_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
    --_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
    --_accent-text: var(--parley-accent-text, light-dark(#ffffff, #0e1826));
    --_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
    --_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
    --_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
    --_radius: var(--parley-radius, 0.875rem);
    --_radius-small: min(var(--_radius), 0.5rem);
    --_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
    --_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
    font-family: var(--_font);
    font-size: var(--parley-font-size, 0.9375rem);
    line-height: 1.5;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  p,
  h2,
  h3,
  pre,
  ul,
  ol,
  dl,
  dd,
  figure,
  blockquote {
    margin: 0;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  code,
  pre {
    font-family: var(--_mono);
    font-size: 0.9em;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`,w=E`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: 2.625rem;
    padding: 0.45rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.12s,
      border-color 0.12s,
      filter 0.12s;
  }
  button:hover,
  .button:hover {
    border-color: var(--_text);
    background: var(--_sunken);
  }
  .primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .primary:hover {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.6;
  }
  .quiet,
  .quiet:hover {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .quiet:hover {
    background: var(--_sunken);
    color: var(--_text);
  }
  .link,
  .link:hover {
    display: inline;
    min-block-size: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_accent);
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    inline-size: 100%;
    min-block-size: 2.625rem;
    padding: 0.5rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_background);
    color: inherit;
    font: inherit;
  }
  @media (pointer: coarse) {
    input:not([type="checkbox"], [type="radio"]),
    select,
    textarea {
      font-size: max(1rem, 1em); /* below that, phones zoom in */
    }
  }
`;var Ir={questions:"Questions",history:"History",connections:"Connections",permissions:"Permissions",administration:"Administration"},ze=class extends v{static styles=[$,w,E`
      :host {
        display: block;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-block-end: 1rem;
        border-block-end: 1px solid var(--_hair);
      }
      nav a {
        padding: 0.6rem 0.8rem;
        border-block-end: 3px solid transparent;
        color: var(--_muted);
        font-weight: 600;
        text-decoration: none;
      }
      nav a:hover {
        color: var(--_text);
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        color: var(--_text);
      }
      .count {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85em;
      }
      @media (max-width: 30rem) {
        nav {
          gap: 0;
        }
        nav a {
          padding: 0.6rem 0.3rem;
          font-size: 0.8rem;
        }
        nav .count {
          display: none; /* it stands in the header of the page */
        }
      }
    `];static properties={user:{},admin:{type:Boolean},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this.admin=!1,this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#n),document.addEventListener("visibilitychange",this.#t),this.#e=window.setInterval(this.#t,15e3),this.#n(),this.#t()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#n),document.removeEventListener("visibilitychange",this.#t),window.clearInterval(this.#e)}#t=()=>{document.visibilityState!=="visible"||this._part!=="questions"||A("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#n=()=>{let e=location.hash.slice(1).split("/")[0];this._part=this.#r().some(([n])=>n===e)?e:"questions"};#r=()=>Object.entries(Ir).filter(([e])=>e!=="administration"||this.admin);render(){return a`<nav aria-label="Inbox">
        ${this.#r().map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#s}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;case"administration":return a`<parley-inbox-admin></parley-inbox-admin>`;default:return a``}}#s=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var U=E`
  form.filter {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: end;
    margin-block-end: 1rem;
  }
  form.filter label,
  .field {
    display: grid;
    gap: 0.2rem;
    flex: 1 1 11rem;
    max-inline-size: 22rem;
    font-size: 0.85rem;
    color: var(--_muted);
  }
  form.filter :is(input, select),
  .field :is(input, select, textarea) {
    color: var(--_text);
    font-size: 0.9375rem;
  }
  h3 {
    margin-block: 1.5rem 0.6rem;
    font-size: 1rem;
  }
  details > summary {
    padding-block: 0.4rem;
    cursor: pointer;
    color: var(--_accent);
  }
  .checks {
    display: grid;
    gap: 0.5rem;
    margin: 0.4rem 0;
    padding: 0;
    list-style: none;
  }
  .checks li {
    display: grid;
    grid-template-columns: 1.6rem minmax(0, 1fr);
  }
  .mark {
    font-weight: 700;
  }
  .notice {
    margin-block-end: 0.75rem;
  }
  .wide {
    flex: 1 1 100%;
    min-inline-size: 0;
  }
  .side {
    text-align: end;
  }
  @media (max-width: 30rem) {
    .side {
      text-align: start;
    }
  }
  code {
    padding: 0.05em 0.35em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  .words {
    white-space: pre-wrap;
  }
  .scrolls {
    overflow-x: auto;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.45rem 0.6rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
`;var S=E`
  :host {
    display: block;
  }
  h2 {
    font-size: 1.1rem;
    line-height: 1.3;
  }
  .muted,
  .meta {
    color: var(--_muted);
  }
  .meta {
    font-size: 0.85rem;
  }
  .problem,
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.6rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .problem {
    color: var(--_danger);
  }
  .empty {
    padding: 2.5rem 1rem;
    text-align: center;
    color: var(--_muted);
  }
  .good {
    color: var(--_success);
  }
  .bad {
    color: var(--_danger);
  }
  .things {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .thing {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 1rem;
    align-items: start;
    padding: 0.8rem 1rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    content-visibility: auto;
    contain-intrinsic-size: auto 5rem;
  }
  .thing > .about {
    flex: 1 1 18rem;
    min-inline-size: 0;
  }
  .clip {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin-block-end: 0.75rem;
  }
  .bar > h2 {
    flex: 1 1 auto;
  }
  pre {
    max-block-size: 12rem;
    overflow: auto;
    padding: 0.5rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    white-space: pre-wrap;
  }
`,De=E`
  .panes {
    display: grid;
    grid-template-columns: minmax(17rem, 24rem) minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .list {
    margin: 0;
    padding: 0.25rem;
    list-style: none;
    max-block-size: calc(100dvh - 14rem);
    min-block-size: 12rem;
    overflow-y: auto;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
  }
  .list li {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    border-block-end: 1px solid var(--_hair);
    content-visibility: auto;
    contain-intrinsic-size: auto 5.5rem;
  }
  .list li:last-child {
    border-block-end: 0;
  }
  .row {
    flex: 1;
    display: block;
    min-inline-size: 0;
    padding: 0.7rem 0.8rem;
    border: 0;
    font-weight: 400;
    text-align: start;
    background: none;
  }
  .row:focus-visible {
    outline-offset: -3px;
  }
  .row[aria-current="true"] {
    background: var(--_bubble);
  }
  .row strong {
    display: block;
    font-weight: 650;
  }
  .pick {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }
  .pick input {
    inline-size: 1.3rem;
    block-size: 1.3rem;
    accent-color: var(--_accent);
  }
  .more {
    padding: 0.5rem;
    justify-content: center;
  }
  .detail {
    min-inline-size: 0;
  }
  .detail > .meta {
    margin-block-end: 0.6rem;
  }
  .after {
    margin-block-start: 0.9rem;
  }
  .back {
    display: none;
  }
  kbd {
    padding: 0 0.35em;
    border: 1px solid var(--_line);
    border-radius: 0.25em;
    font: 0.85em var(--_mono);
  }
  @media (max-width: 48rem) {
    .panes {
      grid-template-columns: minmax(0, 1fr);
    }
    .list {
      max-block-size: none;
    }
    .detail.none,
    .opened .choose {
      display: none;
    }
    .back {
      display: inline-flex;
      margin-block-end: 0.75rem;
    }
  }
  @media (hover: none) {
    .keys {
      display: none;
    }
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.5rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  td.words {
    white-space: pre-wrap;
  }
`;function He(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function Fe(t){let e=f(t),n=d(e?.elicitationId),r=e?.mode;if(!(!e||!n||r!=="form"&&r!=="url"))return{elicitationId:n,mode:r,message:d(e.message)??"",url:d(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:x(e.fieldOrder).flatMap(i=>d(i)??[]),expiresAt:d(e.expiresAt),context:Or(f(e.context)??{}),approvers:Lr(e.approvers),outcome:Ur(e.outcome)}}function Lr(t){let e=f(t),n=e?.need;if(!e||typeof n!="number")return;let r=x(e.people).flatMap(i=>{let s=f(i),o=d(s?.name);if(!s||!o)return[];let c=d(s.decision);return[{name:o,decision:c,late:c===void 0&&d(s.at)!==void 0}]});return{need:n,people:r}}function Or(t){let e=t.arguments;return{trigger:d(t.trigger),service:d(t.service),serviceTitle:d(t.serviceTitle),account:d(t.account),tool:d(t.tool),toolCallId:d(t.toolCallId),parentToolCallId:d(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:d(t.server),domain:d(t.domain),settledBy:d(t.settledBy)}}function Ur(t){let e=f(t);if(!e)return;let n=Object.entries(f(e.limits)??{}).flatMap(([o,c])=>typeof c=="string"?[[o,c]]:[]),r={via:d(e.via),reason:d(e.reason),at:d(e.at),decision:d(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},i=e.action;return i==="accept"||i==="decline"||i==="cancel"||i==="expire"?{action:i,by:d(e.by),...r}:{action:"cancel",...r}}function ee(t,e){let n=f(t)??{};return{items:x(n.items).flatMap(r=>Je(r,e)??[]),next:d(n.next_cursor)}}function Je(t,e){let n=f(t),r=d(n?.id);if(!n||!r)return;let i=f(n.labels)??{},s=p=>d(i[p]),o=s("brief"),c=o===void 0?Tn(n,i,e):Nr(n,i,o,`${e}/answer/${r}`),u=Fe(c);if(u)return{id:r,pending:n.state==="pending",createdAt:d(n.created_at)??"",asker:s("asker")===d(n.to)?void 0:s("asker"),conversation:d(n.session),others:u.context.trigger==="approvers",long:o!==void 0,request:c,question:u}}function Tn(t,e,n){let r=d(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:r?"page":e.settled_by},outcome:jr(t.outcome)}}function Nr(t,e,n,r){return{...Tn({...t,url:r},e,new URL(r).origin),mode:"url",message:n,requestedSchema:void 0}}function jr(t){let e=f(t);return e&&{...e,decision:e.decision??f(e.content)?.decision}}var O={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},te=t=>(...e)=>({_$litDirective$:t,values:e}),N=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,r){this._$Ct=e,this._$AM=n,this._$Ci=r}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:zr}=hn,Sn=t=>t;var Rn=t=>t.strings===void 0,En=()=>document.createComment(""),ne=(t,e,n)=>{let r=t._$AA.parentNode,i=e===void 0?t._$AB:e._$AA;if(n===void 0){let s=r.insertBefore(En(),i),o=r.insertBefore(En(),i);n=new zr(s,o,t,t.options)}else{let s=n._$AB.nextSibling,o=n._$AM,c=o!==t;if(c){let u;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(u=t._$AU)!==o._$AU&&n._$AP(u)}if(s!==i||c){let u=n._$AA;for(;u!==s;){let p=Sn(u).nextSibling;Sn(r).insertBefore(u,i),u=p}}}return n},j=(t,e,n=t)=>(t._$AI(e,n),t),Dr={},re=(t,e=Dr)=>t._$AH=e,Cn=t=>t._$AH,We=t=>{t._$AR(),t._$AA.remove()};var Y=te(class extends N{constructor(t){if(super(t),t.type!==O.PROPERTY&&t.type!==O.ATTRIBUTE&&t.type!==O.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Rn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===P||e===l)return e;let n=t.element,r=t.name;if(t.type===O.PROPERTY){if(e===n[r])return P}else if(t.type===O.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(r))return P}else if(t.type===O.ATTRIBUTE&&n.getAttribute(r)===e+"")return P;return re(t),e}});function ie(t,e=[]){let n=f(t);if(!n)return;let r=new Set(x(n.required)),i=[],s=c=>e.includes(c)?e.indexOf(c):e.length,o=Object.entries(f(n.properties)??{}).sort(([c],[u])=>s(c)-s(u));for(let[c,u]of o){let p=f(u),g=p&&Hr(p);if(!p||!g)return;i.push(Fr(c,g,p,r.has(c)))}return i}function Hr(t){switch(t.type){case"string":case"number":case"integer":return Be(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return Be(f(t.items)??{}).length>0?"choices":void 0}}function Fr(t,e,n,r){return{name:t,kind:e,required:r,nullable:n.nullable===!0,label:L(d(n.title)||t),description:L(d(n.description)??"")||void 0,format:Jr(n.format),minLength:ye(n.minLength),maxLength:ye(n.maxLength),pattern:d(n.pattern),minimum:Pn(n.minimum),maximum:Pn(n.maximum),options:Be(e==="choices"?f(n.items)??{}:n),minItems:ye(n.minItems),maxItems:ye(n.maxItems),default:n.default}}function Jr(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function ye(t){return typeof t=="number"?t:void 0}function Pn(t){let e=ye(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function qn(t){return typeof t=="number"?String(t):d(t)}function Be(t){let e=x(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(r=>{let i=qn(f(r)?.const);return i===void 0?[]:[{value:i,label:L(d(f(r)?.title)||i)}]});let n=x(t.enumNames);return x(t.enum).flatMap((r,i)=>{let s=qn(r);return s===void 0?[]:[{value:s,label:L(d(n[i])||s)}]})}function $e(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function Mn(t){return Object.fromEntries(t.map(e=>[e.name,Wr(e)]))}function Wr(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:$e(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?ni(e):e}function Ve(t,e,n){let r={content:Object.create(null),errors:Object.create(null)};for(let i of t){let{value:s,error:o}=Br(i,e[i.name],n);o!==void 0?r.errors[i.name]=o:s!==void 0&&(r.content[i.name]=s)}return r}function Qe(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function Br(t,e,n){let r={error:n("errorRequired",{label:Qe(t.label)})},i=t.nullable?{value:null}:r;switch(t.kind){case"boolean":return e===void 0?t.required?r:{}:{value:e};case"choices":return Vr(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?i:t.required?r:{}}let s=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?s==="":s.trim()==="")?t.required?r:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:i:t.kind==="string"?Qr(t,o?s:s.trim(),n):Zr(t,s.trim(),n)}function Vr(t,e,n){let{minItems:r,maxItems:i}=t,s=Qe(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:r!==void 0&&e.length<r?{error:n("errorMinItems",{label:s,n:r})}:i!==void 0&&e.length>i?{error:n("errorMaxItems",{label:s,n:i})}:{value:e}}function Qr(t,e,n){let{minLength:r,maxLength:i}=t,s=Qe(t.label),o=[...e].length;if(r!==void 0&&o<r)return{error:n("errorMinLength",{label:s,n:r})};if(i!==void 0&&o>i)return{error:n("errorMaxLength",{label:s,n:i})};if(t.pattern!==void 0&&!Yr(t.pattern,e))return{error:n("errorPattern",{label:s})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:s})};case"uri":return Kr(e)?{value:e}:{error:n("errorUri",{label:s})};case"date":return Gr(e)?{value:e}:{error:n("errorDate",{label:s})};case"date-time":{let c=ti(e);return c?{value:c}:{error:n("errorDateTime",{label:s})}}}return{value:e}}function Yr(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function Kr(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function Gr(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function Zr(t,e,n){let{minimum:r,maximum:i}=t,s=Qe(t.label),o=Xr(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:ei(e)?r!==void 0&&o<r?{error:n("errorMinimum",{label:s,n:r})}:i!==void 0&&o>i?{error:n("errorMaximum",{label:s,n:i})}:{value:o}:{error:n("errorDigits",{label:s})}}function Xr(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function ei(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function ti(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${Mt(n)||"Z"}`}function ni(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function Mt(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=r=>String(Math.floor(r)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var Ln=7;function Ye(t){let{field:e}=t;return e.kind==="boolean"&&!$e(e)?li(t):e.kind==="boolean"?In(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?di(t):e.kind==="choice"&&e.options.length<=Ln?In(t,e.options):a`<div class=${Ke(t)}>
    <label for=${t.id} dir="auto">${e.label}${Lt(t)}</label>
    ${Ge(t)} ${e.kind==="choice"?ai(t):ii(t)}
  </div>`}function On(t){let{id:e,field:n}=t;return n.kind==="choices"||$e(n)||n.kind==="choice"&&n.options.length<=Ln?`${e}-0`:e}var Ke=t=>t.error===void 0?"field":"field wrong",Lt=t=>we(t.field)?a` <span class="required">${t.say("required")}</span>`:l;function we(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function Ge(t){let{id:e,field:n,error:r,say:i}=t,s=Un(n,i);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:l}
    ${s?a`<p class="hint" id="${e}-hint">${s}</p>`:l}
    ${r===void 0?l:a`<p class="error" id="${e}-error"><span class="hidden">${i("error")} </span>${r}</p>`}
  `}function se(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),Un(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):l}function Un(t,e){switch(t.kind){case"number":case"integer":return It(t.minimum,t.maximum,e);case"choices":{let n=It(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:ri(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:Mt(new Date)});let n=It(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function It(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var ri=t=>t.charAt(0).toLowerCase()+t.slice(1);function ii(t){let{id:e,field:n,entry:r,enter:i}=t,s=typeof r=="string"?r:"",o=p=>i(p.target.value);if(n.kind==="string"&&n.format===void 0&&oi(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${Y(s)} @input=${o}
      aria-describedby=${se(t)} aria-required=${we(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:c,mode:u}=si(n);return a`<input id=${e} type=${c} inputmode=${u??l} autocomplete="off" dir="auto"
    spellcheck=${u?"false":l} autocapitalize=${u?"off":l} step=${c==="datetime-local"?"any":l}
    .value=${Y(s)} @input=${o}
    aria-describedby=${se(t)} aria-required=${we(n)} aria-invalid=${t.error!==void 0} />`}function si(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function oi(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function ai(t){let{id:e,field:n,entry:r,say:i,enter:s}=t;return a`<select id=${e} @change=${c=>{let u=c.target.selectedIndex-1;s(n.options[u]?.value)}} aria-describedby=${se(t)}
    aria-required=${we(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${r===void 0}>${i("choose")}</option>
    ${n.options.map(c=>a`<option .selected=${c.value===r}>${Ot(c,i)}</option>`)}
  </select>`}var Ot=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function In(t,e){let{id:n,field:r,entry:i,say:s,enter:o}=t,c=p=>r.kind==="boolean"?p==="true":p,u=!r.required&&r.default===void 0&&!t.sure;return a`<div class=${Ke(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${we(r)}
    aria-invalid=${t.error!==void 0} aria-describedby=${se(t)}>
    <div class="legend" id="${n}-label" dir="auto">${r.label}${Lt(t)}</div>
    ${Ge(t)}
    ${e.map((p,g)=>a`<label class="option">
        <input type="radio" id="${n}-${g}" name=${n} .checked=${Y(i===c(p.value))} @change=${()=>o(c(p.value))} />
        <span dir="auto">${Ot(p,s)}</span>
      </label>`)}
    ${u?a`<label class="option">
          <input type="radio" name=${n} .checked=${Y(i===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:l}
  </div>`}function di(t){let{id:e,field:n,say:r,enter:i}=t,s=Array.isArray(t.entry)?t.entry:[],o=(c,u)=>i(n.options.map(p=>p.value).filter(p=>p===c?u:s.includes(p)));return a`<div class=${Ke(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${se(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Lt(t)}</div>
    ${Ge(t)}
    ${n.options.map((c,u)=>a`<label class="option">
        <input type="checkbox" id="${e}-${u}" .checked=${Y(s.includes(c.value))} aria-invalid=${t.error!==void 0}
          @change=${p=>o(c.value,p.target.checked)} />
        <span dir="auto">${Ot(c,r)}</span>
      </label>`)}
  </div>`}function li(t){let{id:e,field:n,entry:r,enter:i}=t;return a`<div class=${Ke(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${Y(r===!0)} aria-describedby=${se(t)} aria-invalid=${t.error!==void 0}
        @change=${s=>i(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Ge(t)}
  </div>`}var C=t=>_`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,R={connect:C(_`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:C(_`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:C(_`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:C(_`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:C(_`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:C(_`<path d="M7 7l10 10M17 7 7 17"/>`),tool:C(_`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:C(_`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:C(_`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:C(_`<path d="M12 5v14M5 12h14"/>`),down:C(_`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:C(_`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:C(_`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:C(_`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:C(_`<path d="m9 6 6 6-6 6"/>`)};function Ut(t){return Pt(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function jn(t,e){let{question:n,service:r,say:i}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${ci(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${zn(t)}>${_e(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?l:a`<div class="message">
            ${ke(n)?l:a`<span class="from isolate" dir=${Rt(i("says",{service:""}))}>${i("says",{service:r})}</span>`}
            ${ui(n)}
          </div>`}
      ${pi(t)}
      ${n.context.account?a`<p class="account">${i("account")} <bdi>${h(n.context.account)}</bdi></p>`:l}
    </div>
  </div>`}function ci({kind:t,question:e}){return e.context.trigger==="tool_approval"?R.approval:t==="waiting"?R.clock:t==="unsupported"?R.form:R[t]}var ke=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function ui(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!ke(t))return a`<div class="words" dir="auto">${L(e)}</div>`;let r=Ut(V(yn(e)));return ke(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${r}</div>`:a`<div class="words exact" dir="ltr">${r}</div>`}var zn=t=>Rt(_e({...t,service:""}));function _e(t){let{kind:e,question:n,service:r,say:i}=t,{trigger:s}=n.context;return s==="tool_approval"?i("approvalTitle",{service:r}):s==="approvers"?i("waitingTitle",{service:r}):e==="connect"?i(s==="credential_required"?"connectTitle":"visitTitle",{service:r}):i("formTitle",{service:r})}function Dn(t,e){let n={good:R.done,bad:R.no,neutral:R.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${zn(t)}>${_e(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var z=t=>t===void 0?l:a`<p class="problem">${R.warning}<span>${t}</span></p>`;function pi(t){switch(t.kind){case"connect":return hi(t);case"approval":return a`${ke(t.question)?l:Nn(t)} ${gi(t)}`;case"waiting":return a`${fi(t)} ${z(t.problem)}
        <div class="buttons">${xe(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!ke(t.question)?Nn(t):l} ${$i(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${z(t.problem)}
        <div class="buttons">${xe(t,"decline")}</div>`}}function hi(t){let{address:e,say:n}=t;if(!e)return a`${z(n("unsafe"))} ${z(t.problem)}
      <div class="buttons">${xe(t,"dismiss")}</div>`;let r=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${R.warning}<span>${n("insecure")}</span></p>`:l} ${mi(t,e)} ${z(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${r}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):r}
          </button>`}
      ${xe(t,"dismiss")}
    </div>
  `}function mi(t,e){let{say:n,phase:r}=t,i=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(r){case"opened":return a`<p class="status">
        ${R.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?l:i}</span>
      </p>`;case"blocked":return z(a`${n("blocked")} ${i}`);case"confirming":return a`<p class="status">${R.clock}<span>${n("confirming")}</span></p>`}return l}function Nn(t){let{context:e}=t.question,{say:n}=t,r=je(e.arguments??""),i=r.split(`
`).length;return a`<dl>
    ${e.tool===void 0?l:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${h(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${i>8?n("argumentLines",{n:i}):n("arguments")}</dt>
      <dd>
        ${r===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Ut(r)}</pre>`}
      </dd>
    </div>
  </dl>`}function fi({question:t,say:e}){let n=t.approvers;if(!n)return l;let r=n.people.filter(i=>i.decision==="allow_once").length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:r,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(i=>{let s=i.decision==="allow_once"?"good":i.decision==="deny"?"bad":"neutral",o={good:R.done,bad:R.no,neutral:R.clock}[s],c=s==="good"?"approverAllowed":s==="bad"?"approverDenied":i.late?"approverLate":"approverAsked";return a`<li class=${s}>${o}<bdi>${h(i.name)}</bdi><span>${e(c)}</span></li>`})}
    </ul>
  </div>`}function gi(t){let e=t.fields[0].options,n=e.find(r=>r.value==="asked_back");return a`${z(t.problem)}<div class="buttons">${e.filter(r=>r!==n).map(r=>Hn(t,r))}</div>
  ${vi(t)}${bi(t,n)}`}function Hn({say:t,phase:e,decide:n},{value:r,label:i}){return a`<button type="button" class=${r==="allow_once"?"primary":""} data-decision=${r}
    aria-disabled=${e==="sending"} @click=${()=>n(r)}>
    ${i===r&&yi(r)?t(r):h(i)}
  </button>`}function bi(t,e){let{fields:n,entries:r,errors:i,say:s,enter:o}=t,c=n.filter(u=>u.kind==="string");return c.length===0&&!e?l:a`<details class="narrow">
    <summary>${s("remark")}</summary>
    <div class="form">
      ${c.map(u=>Ye({id:`field-${n.indexOf(u)}`,field:u,entry:r[u.name],error:i[u.name],say:s,enter:p=>o(u.name,p)}))}
      ${e?a`<div class="buttons">${Hn(t,e)}</div>`:l}
    </div>
  </details>`}function vi(t){let{fields:e,entries:n,errors:r,say:i}=t,s=e.slice(1).filter(o=>o.kind==="choice");return s.length===0?l:a`<details class="narrow">
    <summary>${i("narrow")}</summary>
    <div class="form">
      ${s.map(o=>Ye({id:`field-${e.indexOf(o)}`,field:o,entry:n[o.name],error:r[o.name],say:i,sure:!0,enter:c=>t.enter(o.name,c)}))}
      ${s.some(o=>n[o.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>s.forEach(o=>t.enter(o.name,void 0))}>${i("noLimits")}</button></div>`:l}
    </div>
  </details>`}function yi(t){return t==="allow_once"||t==="always_allow"||t==="deny"||t==="asked_back"}function $i(t){let{fields:e,entries:n,errors:r,say:i}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map((s,o)=>Ye({id:`field-${o}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:c=>t.enter(s.name,c)}))}
    ${z(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${i(t.phase==="sending"?"sending":"submit")}</button>
      ${xe(t,"decline")}
    </div>
  </form>`}function xe(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function Ze(t,e,n,r){let i=xi(e,n,r),s=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return wi(e,i,r);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Fn(n.decision,n.chosen,"",r):e.decision!==void 0?Fn(e.decision,ki(t,e),i,r):s?{tone:"good",sentence:r("connected",{place:i})}:{tone:"good",sentence:r(t.mode==="url"?"visited":"answered",{place:i})};case"decline":return{tone:"bad",sentence:r(s?"notConnected":"declined",{place:i})};case"expire":return{tone:"neutral",sentence:r("expired")}}return e.by?{tone:"neutral",sentence:r("cancelled",{place:i})}:{tone:"neutral",sentence:r(e.reason==="superseded"?"superseded":"withdrawn")}}function wi(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let r=h(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:r})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:r})}:{tone:"neutral",sentence:n("withdrawn")}}function ki(t,{decision:e,limits:n}){return Nt(ie(t.requestedSchema)??[],{...n,decision:e})}function Nt(t,e){return t.flatMap(({name:r,options:i})=>i.find(s=>s.value===e[r]&&s.label!==s.value)?.label??[]).map(h).join(" · ")}function Fn(t,e,n,r){switch(t){case"allow_once":return{tone:"good",sentence:r("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?r("allowed_as",{chosen:e,place:n}):r("allowed_always",{place:n})};case"asked_back":return{tone:"neutral",sentence:r("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:r("denied",{place:n})}}return{tone:"good",sentence:r("answered",{place:n})}}function xi(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var Xe=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Jn=Xe("character"),Wn=Xe("choice"),_i=t=>t<60?Xe("second")({n:t}):Xe("minute")({n:t/60}),Ai={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${_i(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Jn(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Jn(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Wn(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Wn(t)}.`};function et(t){return(e,n={})=>{let r=t?.[e]??Ai[e];return typeof r=="function"?r(n):r.replace(/\{(\w+)\}/g,(i,s)=>s in n?String(n[s]):i)}}var jt=et({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),Ti=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function k(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":Ti.format(e)}var zt=t=>Ne(He(t)||jt("someone"));function D({question:t}){return _e({kind:t.mode==="url"?"connect":"form",question:t,service:zt(t),say:jt})}var oe=({question:t})=>h(t.message),Si={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function tt({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=Ze(t,{...e,via:"chat"},{answered:!1,watched:!1},jt),r=e.by?`by ${h(e.by)}`:"",i=e.via?Si[e.via]??`through ${h(e.via)}`:"";return{...n,where:[r,i,k(e.at)].filter(s=>s!=="").join(" · ")}}var Ei={pending:"Open",settled:"Settled","":"All"},rt=class extends v{static styles=[$,w,S,U];#e="pending";#t="";#n=[];#r;#i=!1;#s;#a="";#o="";#l=0;firstUpdated(){this.#c(!0)}async#c(e){let n=++this.#l;this.#i=!0,this.#s=void 0,this.requestUpdate();try{let r=new URLSearchParams({limit:"50",...this.#e&&{state:this.#e},...this.#t&&{user:this.#t},...!e&&this.#r&&{cursor:this.#r}}),i=ee(await A(`/api/elicitations?${r}`),location.origin);if(n!==this.#l)return;this.#n=e?i.items:[...this.#n,...i.items],this.#r=i.next}catch(r){if(n!==this.#l)return;this.#s=r.message}this.#i=!1,this.requestUpdate()}#u=e=>{e.preventDefault();let n=this.renderRoot.querySelector("form"),r=new FormData(n);this.#e=String(r.get("state")??""),this.#t=String(r.get("user")??"").trim(),this.#c(!0)};render(){let e=this.#n.length===0&&!this.#i&&!this.#s&&!this.#r;return a`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
      <form class="filter" @submit=${this.#u}>
        <label>Which<select name="state" @change=${this.#u}>${Object.entries(Ei).map(([n,r])=>a`<option value=${n} ?selected=${n===this.#e}>${r}</option>`)}</select></label>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      <div role="status" class="meta">${this.#o}</div>
      ${e?a`<p class="empty">No such question is there.</p>`:l}
      <ul class="things">${this.#n.map(n=>this.#g(n))}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#r||this.#s?a`<p><button type="button" @click=${()=>{this.#c(!1)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#g(e){let n=e.question.context.account,r=tt(e);return a`<li class="thing">
      <div class="about">
        <strong dir="auto">${nt(e)}</strong>
        <div class="clip" dir="auto">${oe(e)}</div>
        <div class="meta">To ${n?h(n):"a group"} · asked ${k(e.createdAt)}${e.asker?` for ${h(e.asker)}`:""}${e.pending?` · open until ${k(e.question.expiresAt)}`:""}</div>
      </div>
      <div class="side">
        ${e.pending?this.#m(e):a`<span class=${r.tone}>${r.sentence}</span><div class="meta">${r.where}</div>`}
      </div>
    </li>`}#m(e){let n=r=>()=>{this.#a=r,this.requestUpdate()};return this.#a!==e.id?a`<button type="button" aria-label="Withdraw: ${nt(e)}" @click=${n(e.id)}>Withdraw</button>`:a`<button type="button" class="primary" aria-label="Really withdraw: ${nt(e)}" @click=${()=>{this.#p(e)}}>Really withdraw</button>
      <button type="button" class="quiet" @click=${n("")}>Keep</button>`}async#p(e){this.#a="";try{await A(`/api/elicitations/${encodeURIComponent(e.id)}/cancel`,{method:"POST"}),this.#o=`Withdrawn: ${nt(e)}.`}catch(n){this.#o=n.message}await this.#c(!0),this.renderRoot.querySelector("h2")?.focus()}};function nt({question:t}){let{trigger:e,tool:n}=t.context,r=zt(t);return e==="credential_required"?`Account for ${r}`:e==="approvers"?`Waiting for others: ${r}`:e==="tool_approval"?n?`Approval of ${h(n)}, ${r}`:`Approval for ${r}`:`Question of ${r}`}function ae(t){return x(t).flatMap(e=>{let n=f(e);return n?[n]:[]})}var de=t=>ae(f(t)?.items);var le=t=>{let e=Date.parse(d(t)??"");return Number.isNaN(e)?void 0:e};function Bn(t){let e=le(t.created_at)??0,n=ae(t.timeline).flatMap(s=>Ri(s)??[]),r=d(t.status)??"",i=Math.max(e,...n.flatMap(s=>[s.from??0,s.to??0]));return{id:d(t.id)??"",user:d(t.user)??"",agent:d(t.agent)??"",parent:d(t.parent)??"",status:r,reason:d(t.reason)??"",createdAt:d(t.created_at)??"",from:e,to:r==="ended"?Math.max(i,le(t.updated_at)??0):Math.max(i,Date.now()),spans:n,count:typeof t.timeline_count=="number"?t.timeline_count:n.length}}function Ri(t){let e=t.kind;if(e!=="model"&&e!=="call"&&e!=="wait")return;let n=f(t.asked)??{},r=d(t.tool)??"",i=d(t.server)??"";return{kind:e,step:typeof t.step=="number"?t.step:0,what:[r,i].filter(s=>s!=="").map(h).join(", "),from:le(t.from),to:le(t.to),how:d(t.how),pending:t.pending===!0,asked:h(d(n.to)??""),needed:typeof t.needed=="number"?t.needed:0,words:t.approvers?ae(t.approvers).map(Ci):Pi(n)}}var Vn=t=>t!==""&&t!=="deny"&&t!=="asked_back";function Ci(t){let e=d(t.decision)??"";return{name:h(d(t.name)??""),decision:e?Qn(e):"",yes:Vn(e),at:le(t.at)}}function Pi(t){let e=d(t.action);if(!e)return[];let n=d(t.decision)??"",r=d(t.by)??"";return[{name:h(r),decision:n?Qn(n):r?qi[e]??h(e):e==="expire"?"expired":"withdrawn",yes:e==="accept"&&(n===""||Vn(n)),at:le(t.at)}]}var qi={accept:"answered",decline:"declined",cancel:"dismissed",expire:"expired"},Mi={allow_once:"allowed",always_allow:"allowed from now on",deny:"denied",asked_back:"asked back",changed:"allowed with changes"},Qn=t=>Mi[t]??h(t);function Dt(t){switch(t.kind){case"model":return"The model";case"call":return t.what||"A call"}return`Waiting for ${(t.words.length>0&&t.needed>0?t.words.map(n=>n.name).join(", "):t.asked)||"somebody"}${t.what?`: ${t.what}`:""}`}function Ht(t){if(t.kind==="call")return t.how??"";let e=t.words.filter(n=>n.decision!=="").map(n=>[n.name,n.decision].filter(r=>r!=="").join(" "));return t.needed>0&&e.unshift(`${t.needed} needed`),e.join(", ")}function Yn(t,e){return t.from===void 0?"":t.pending?`${K(t.from,e.to)} so far`:t.to===void 0?"":K(t.from,t.to)}function K(t,e){let n=Math.max(0,e-t);if(n<1e3)return`${Math.round(n)} ms`;if(n<6e4)return`${(n/1e3).toFixed(n<1e4?1:0)} s`;let r=Math.round(n/6e4);if(r<60)return`${r} min`;let i=Math.floor(r/60);return i<48?r%60?`${i} h ${r%60} min`:`${i} h`:`${Math.floor(i/24)} days${i%24?` ${i%24} h`:""}`}function Kn(t,e){let n=[...new Set([t.from,t.to,...e.flatMap(s=>[s.from,s.to,...s.words.map(o=>o.at)])])].filter(s=>s!==void 0&&s>=t.from).sort((s,o)=>s-o),r=new Map,i=0;return n.forEach((s,o)=>{o>0&&(i+=Math.log1p((s-n[o-1])/50)),r.set(s,i)}),{at:s=>r.get(s)??0,total:i||1}}var Gn=20,Ii={working:["neutral","Working"],waiting:["neutral","Waiting"],done:["good","Done"],stopped:["neutral","Stopped"],step_limit:["bad","Stopped after too many steps"],failed:["bad","Failed"]},it=class extends v{static styles=[$,w,S,U];#e="";#t=[];#n=!1;#r=!0;#i=!1;#s;#a=new Set;firstUpdated(){this.#o(!0)}async#o(e){this.#i=!0,this.#s=void 0,this.requestUpdate();try{let n=e?void 0:this.#t.at(-1),r=new URLSearchParams({limit:String(Gn),...this.#e&&{user:this.#e},...n&&{until:n.createdAt}}),i=await A(`/api/runs?${r}`),s=de(i).map(Bn);this.#t=e?s:[...this.#t,...s],this.#n=s.length===Gn,this.#r=f(i)?.complete!==!1}catch(n){this.#s=n.message}this.#i=!1,this.requestUpdate()}#l=e=>{e.preventDefault(),this.#e=String(new FormData(e.target).get("user")??"").trim(),this.#o(!0)};render(){return a`<div class="bar"><h2>Runs</h2><button type="button" @click=${()=>{this.#o(!0)}}>Look again</button></div>
      <form class="filter" @submit=${this.#l}>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      ${this.#r?l:a`<p class="notice">There are more runs than one look goes through, so some may be missing. Name a person to see all of theirs.</p>`}
      ${this.#t.length===0&&!this.#i&&!this.#s?a`<p class="empty">No agent was asked anything yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#t.map(e=>this.#c(e))}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#n||this.#s?a`<p><button type="button" @click=${()=>{this.#o(this.#t.length===0)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#c(e){let[n,r]=Ii[e.reason||e.status]??["neutral",h(e.status)],i=e.spans.filter(c=>c.kind==="call").length,s=e.spans.filter(c=>c.kind==="wait").length,o=`${h(e.agent)} for ${h(e.user)}`;return a`<li class="thing">
      <div class="about">
        <strong>${o}</strong>
        <div class="meta">${k(e.createdAt)} · ${K(e.from,e.to)}${e.status==="ended"?"":" so far"} · ${Zn(i,"call")} · ${Zn(s,"wait")} for people${e.parent?" · delegated by another run":""}</div>
      </div>
      <div class="side"><span class=${n}>${r}</span></div>
      <details class="wide" @toggle=${c=>this.#u(e.id,c.target.open)}>
        <summary>Timeline<span class="hidden"> of ${o}, ${k(e.createdAt)}</span></summary>
        ${this.#a.has(e.id)?a`<parley-run-timeline .run=${e}></parley-run-timeline>`:l}
      </details>
    </li>`}#u(e,n){n?this.#a.add(e):this.#a.delete(e),this.requestUpdate()}},Zn=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var Li={up:["good","Up"],down:["bad","Down"],needs_connection:["bad","Nobody has provided the credential that it takes"],unknown:["muted","Not looked at yet"]},st=class extends v{static styles=[$,w,S,U];#e;#t=[];#n=new Map;#r;firstUpdated(){this.#i()}async#i(){this.#r=void 0;try{let[e,n]=await Promise.all([A("/api/servers"),A("/api/providers")]);this.#e=de(e),this.#t=de(n)}catch(e){this.#r=e.message}this.requestUpdate()}async#s(e,n=!1){if(!(this.#n.has(e)&&!n)){this.#n.set(e,{}),this.requestUpdate();try{this.#n.set(e,f(await A(`/api/servers/${encodeURIComponent(e)}/checklist?metadata=true`))??{})}catch(r){this.#n.set(e,r.message)}this.requestUpdate()}}render(){return a`<div class="bar"><h2>Servers</h2><button type="button" @click=${()=>{this.#i()}}>Look again</button></div>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#e?.length===0?a`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>`:l}
      <ul class="things">${this.#e?.map(e=>this.#a(e))}</ul>
      ${this.#e?a`<h3>Providers</h3>`:l}
      ${this.#e&&this.#t.length===0?a`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>`:l}
      <ul class="things">${this.#t.map(Ni)}</ul>`}#a(e){let n=d(e.name)??"",r=f(e.status)??{},i=f(e.auth)??{},[s,o]=Li[e.enabled===!1?"":d(r.state)??""]??["muted",e.enabled===!1?"Disabled":""],c=x(e.agents).flatMap(p=>d(p)??[]),u=d(r.error);return a`<li class="thing">
      <div class="about">
        <strong>${h(d(e.title)??n)}</strong>
        <div class="meta">${h(d(e.url)??"a program of the configuration")}</div>
        <div class="meta">
          Calls need an approval: ${h(d(e.approve)??"")} · credential: ${Oi(i)}${c.length>0?` · agents: ${c.map(h).join(", ")}`:""}
          · from the ${e.source==="api"?"API":"configuration"}
        </div>
      </div>
      <div class="side">
        <span class=${s}>${o}</span>
        <div class="meta">${typeof r.tools=="number"?`${r.tools} tools`:""}${r.since?` since ${k(d(r.since))}`:""}</div>
      </div>
      ${u?a`<p class="wide bad" dir="auto">${h(u)}</p>`:l} ${Ui(r)}
      <details class="wide" @toggle=${p=>p.target.open&&void this.#s(n)}>
        <summary>Setup checklist<span class="hidden"> of ${h(n)}</span></summary>
        ${this.#o(n)}
      </details>
    </li>`}#o(e){let n=this.#n.get(e);if(typeof n=="string")return a`<p class="problem" role="alert">${n}</p>`;let r=de(n);if(r.length===0)return a`<p class="muted" role="status">Looking…</p>`;let i=d(n?.redirect_uri);return a`<p class=${n?.ready===!0?"good":"bad"} role="status">
        ${n?.ready===!0?"Everything is there. The chat asks people to connect.":"Something is missing before people can connect in the chat."}
      </p>
      ${i?a`<p>Register this redirect URI, to the letter: <code>${i}</code></p>`:l}
      <ul class="checks">
        ${r.map(s=>{let o=s.ok===!0;return a`<li>
            <span class="mark ${o?"good":"bad"}" aria-hidden="true">${o?"✓":"✗"}</span>
            <div><span class="hidden">${o?"Done: ":"Missing: "}</span>${h(d(s.detail)??"")}${s.fix?a`<div class="meta">${h(d(s.fix)??"")}</div>`:l}</div>
          </li>`})}
      </ul>
      <p><button type="button" @click=${()=>{this.#s(e,!0)}}>Check again<span class="hidden"> ${h(e)}</span></button></p>`}};function Oi(t){let e=d(t.type)??"none";if(e==="none")return"none";let n={user:"each person's own",mentor:"each agent's own",platform:"one for all"},r=e==="bearer"||e==="api_key"?t.has_token===!0?", stored":t.scope==="platform"?", not stored here":"":"";return`${h(e)}, ${n[d(t.scope)??""]??""}${r}`}function Ui(t){let e=ae(t.left_out);if(e.length===0)return l;let n=typeof t.left_out_count=="number"?t.left_out_count:e.length;return a`<details class="wide">
    <summary>${n} left out of what it lists</summary>
    <ul class="checks">
      ${e.map(r=>a`<li>
          <span class="mark" aria-hidden="true">–</span>
          <div>${h(d(r.kind)??"")} <code>${h(d(r.name)||"without a name")}</code>${r.part?`, its ${h(d(r.part)??"")}`:""}: <span dir="auto">${h(d(r.reason)??"")}</span></div>
        </li>`)}
    </ul>
    ${n>e.length?a`<p class="meta">These are the first ${e.length}.</p>`:l}
  </details>`}function Ni(t){let e=x(t.scopes).flatMap(i=>d(i)??[]),n=d(t.client_id),r=t.has_secret===!0;return a`<li class="thing">
    <div class="about">
      <strong>${h(d(t.title)??d(t.name)??"")}</strong>
      <div class="meta">${h(d(t.auth_url)??"")} · from the ${t.source==="api"?"API":"configuration"}</div>
      ${e.length>0?a`<div class="meta">Scopes: ${e.map(h).join(", ")}</div>`:l}
    </div>
    <ul class="checks wide">
      <li><span class="mark ${n?"good":"bad"}" aria-hidden="true">${n?"✓":"✗"}</span><div>${n?a`Client id <code>${h(n)}</code>`:"The client id is missing."}</div></li>
      <li>
        <span class="mark ${r?"good":"muted"}" aria-hidden="true">${r?"✓":"–"}</span>
        <div>${r?"The client secret is stored. It is never shown.":"No client secret is stored: that is right for a public client only."}</div>
      </li>
      <li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${d(t.redirect_uri)??""}</code></div></li>
    </ul>
  </li>`}var Xn=40,Ft=12,G=6,ot=class extends v{static styles=[$,w,S,U,E`
      svg {
        inline-size: 100%;
        block-size: auto;
        margin-block: 0.4rem;
        stroke: none;
      }
      text {
        fill: var(--_text);
        font: 12.5px var(--_font, sans-serif);
      }
      .lane {
        fill: var(--_sunken);
      }
      .model {
        fill: var(--_muted);
      }
      .call {
        fill: var(--_accent);
      }
      .call.failed,
      .call.refused {
        fill: var(--_danger);
      }
      .wait {
        fill: url(#stripes);
        stroke: var(--_text);
        stroke-width: 1;
      }
      .stripe {
        stroke: var(--_text);
        stroke-width: 2;
      }
      .said {
        fill: var(--_surface);
        stroke: var(--_success);
        stroke-width: 3;
      }
      .said.no {
        stroke: var(--_danger);
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1rem;
      }
      .legend svg {
        display: inline-block;
        inline-size: 1.4rem;
        block-size: 0.75rem;
        margin: 0 0.3rem 0 0;
        vertical-align: -1px;
      }
    `];static properties={run:{attribute:!1},_width:{state:!0}};#e;constructor(){super(),this._width=640}connectedCallback(){super.connectedCallback(),this.#e=new ResizeObserver(([e])=>{let n=Math.round(e.contentRect.width);n>0&&(this._width=n)}),this.#e.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#e?.disconnect()}render(){let{spans:e,count:n}=this.run;if(e.length===0)return a`<p class="muted">Nothing has happened in it yet.</p>`;let r=e.filter(i=>i.from!==void 0);return a`${r.length>0?this.#t(r):a`<p class="muted">When things happened was not kept yet when this ran.</p>`}
      <details>
        <summary>The same as a table</summary>
        <div class="scrolls" tabindex="0" role="region" aria-label="What the run was spent on">${ji(e)}</div>
      </details>
      ${n>e.length?a`<p class="meta">These are the first ${e.length} of ${n}.</p>`:l}`}#t(e){let{at:n,total:r}=Kn(this.run,e),i=this._width,s=p=>G+n(p)/r*(i-2*G),o=e.length*Xn+4,c=e.filter(p=>p.kind==="wait").length,u=e.filter(p=>p.kind==="call").length;return a`<svg viewBox="0 0 ${i} ${o}" role="img" aria-label="Picture of the run: ${u} calls, ${c} waits for people, ${K(this.run.from,this.run.to)} in all. The same is in the table below.">
        <defs>
          <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"></line></pattern>
        </defs>
        ${e.map((p,g)=>this.#n(p,g*Xn,s,i))}
      </svg>
      <p class="meta legend">
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="model" width="22" height="12"></rect></svg>the model</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call" width="22" height="12"></rect></svg>a call</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call failed" width="22" height="12"></rect></svg>failed or refused</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="wait" x="1" y="1" width="20" height="10"></rect></svg>a wait for people</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><circle class="said" cx="15" cy="6" r="4.5"></circle></svg>somebody answered</span>
        <span>Long times are drawn shorter than they were.</span>
      </p>`}#n(e,n,r,i){let s=r(e.from),o=r(e.to??this.run.to),c=Math.max(o-s,3),u=[Dt(e),Ht(e),Yn(e,this.run)].filter(g=>g!=="").join(" · "),p=Math.max(8,Math.floor((i-2*G)/6.6));return _`<text x=${G} y=${n+15} dir="auto">${u.length>p?u.slice(0,p-1)+"…":u}</text>
      <rect class="lane" x=${G} y=${n+21} width=${i-2*G} height=${Ft} rx="3"></rect>
      <rect class="${e.kind} ${e.how??""}" x=${Math.min(s,i-G-3)} y=${n+21} width=${c} height=${Ft} rx="3"></rect>
      ${e.words.map(g=>g.at===void 0?l:_`<circle class="said ${g.yes?"":"no"}" cx=${r(g.at)} cy=${n+21+Ft/2} r="4.5"></circle>`)}`}};function ji(t){return a`<table>
    <thead>
      <tr><th scope="col">What</th><th scope="col">From</th><th scope="col">To</th><th scope="col">How long</th><th scope="col">What came of it</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>a`<tr>
          <td dir="auto">${Dt(e)}</td>
          <td>${er(e.from)}</td>
          <td>${e.pending?"goes on":er(e.to)}</td>
          <td>${e.from!==void 0&&e.to!==void 0?K(e.from,e.to):""}</td>
          <td dir="auto">${Ht(e)}</td>
        </tr>`)}
    </tbody>
  </table>`}var zi=new Intl.DateTimeFormat(void 0,{timeStyle:"medium"});function er(t){if(t===void 0)return"not known";let e=new Date(t);return`${k(e.toISOString()).replace(/,? [^ ]+$/,"")}, ${zi.format(e)}`}var tr={servers:"Servers",questions:"Questions",runs:"Runs"},Jt=class extends v{static styles=[$,w,S,E`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin-block-end: 1rem;
      }
      nav a {
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--_line);
        border-radius: 2rem;
        color: var(--_text);
        text-decoration: none;
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        background: var(--_accent);
        color: var(--_accent-text);
      }
    `];static properties={_part:{state:!0}};constructor(){super(),this._part="servers"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#e),this.#e()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#e)}#e=()=>{let e=location.hash.split("/")[1]??"";this._part=e in tr?e:"servers"};render(){return a`<nav aria-label="Administration">
        ${Object.entries(tr).map(([e,n])=>a`<a href="#administration/${e}" aria-current=${e===this._part?"page":"false"}>${n}</a>`)}
      </nav>
      ${this.#t()}`}#t(){switch(this._part){case"questions":return a`<parley-admin-questions></parley-admin-questions>`;case"runs":return a`<parley-admin-runs></parley-admin-runs>`;default:return a`<parley-admin-servers></parley-admin-servers>`}}};function nr(){customElements.define("parley-admin-servers",st),customElements.define("parley-admin-questions",rt),customElements.define("parley-run-timeline",ot),customElements.define("parley-admin-runs",it),customElements.define("parley-inbox-admin",Jt)}var ce=class extends v{static styles=[$,w,S];static properties={user:{}};#e;#t;#n="";#r;firstUpdated(){this.#i()}async#i(){await this.#s(async()=>{let e=f(await A(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=x(e?.items).flatMap(n=>[f(n)??{}])})}async#s(e){this.#t=void 0;try{await e()}catch(n){this.#t=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} <button type="button" @click=${()=>{this.#i()}}>Try again</button></p>`:l}
      <div role="status" class="meta">${this.#n}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:l}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#a(n)}</div>
          </li>`)}
      </ul>`}#a(e){let n=this.key(e),r=this.called(e),i=s=>()=>{this.#r=s,this.requestUpdate()};return this.#r!==n?a`<button type="button" aria-label="${this.words.take}: ${r}" @click=${i(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${r}" @click=${()=>{this.#o(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${i(void 0)}>Keep</button>`}async#o(e){this.#r=void 0,await this.#s(async()=>{let n=f(await A(this.removal(e),{method:"DELETE"}));this.#n=d(n?.warning)??`Done: ${this.called(e)}.`,await this.#i()}),this.renderRoot.querySelector("h2")?.focus()}};var Di={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},at=class extends ce{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return d(e.server)??""}called(e){return h(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=x(e.scopes).flatMap(s=>d(s)??[]),r=d(e.provider)??d(e.issuer),i=d(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${i==="active"?"good":"bad"}>${Di[i]??h(i)}</div>
      <div class="meta">Used for calls of ${this.called(e)} on your behalf${r?`, through ${h(r)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(h).join(", ")}</div>`:l}
      <div class="meta">Connected ${k(d(e.created_at))}${e.updated_at?` · renewed ${k(d(e.updated_at))}`:l}</div>`}};var dt=class extends v{static styles=[$,w,S];static properties={user:{}};#e=[];#t;#n=!1;#r;firstUpdated(){this.#i()}async#i(){if(!this.#n){this.#n=!0,this.#r=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#t&&{cursor:this.#t}}),n=ee(await A(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#t=n.next}catch(e){this.#r=e.message}this.#n=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#n&&!this.#r&&!this.#t?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#e.map(Hi)}</ul>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#t||this.#r?a`<p><button type="button" @click=${()=>{this.#i()}}>${this.#n?"Reading…":"Show more"}</button></p>`:l}`}};function Hi(t){let e=tt(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${D(t)}</strong>
      <div class="clip" dir="auto">${oe(t)}</div>
      <div class="meta">Asked ${k(t.createdAt)}${t.asker?` for ${h(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var Fi=4;function Wt({question:t,long:e,others:n},r){if(n)return;let i=t.mode==="form"?ie(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&i?.name==="decision"&&i.options.some(o=>o.value===r)?{action:"accept",content:{decision:r}}:r==="deny"?{action:"decline"}:void 0}var lt=class extends v{static styles=[$,w,S,De];static properties={items:{attribute:!1}};#e=[];#t=new Map;#n="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#n==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Wt(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#n==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:l}
      <div class="bar">${this.#i(e)}</div>
      <div role="status" class="meta">${this.#s()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#r(n))}
        </tbody>
      </table>`}#r(e){let n=this.#t.get(e.id),r=e.question.context.trigger==="tool_approval";return a`<tr>
      <td>${D(e)}</td>
      <td class="words" dir="auto">${r?V(e.question.message):L(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#i(e){if(this.#n==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#n==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#a("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#a("deny")}}>Deny each</button>`}#s(){if(this.#n==="asking")return"";let e=[...this.#t.values()].filter(n=>n.tone==="bad").length;return`${this.#t.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#a(e){if(this.#n!=="asking"||e==="allow_once"&&!this.#e.some(i=>Wt(i,e)))return;this.#n="sending",this.requestUpdate();let n=[...this.#e],r=async()=>{for(let i=n.shift();i;i=n.shift())await this.#o(i,e)};await Promise.all(Array.from({length:Fi},r)),this.#n="done",this.requestUpdate()}async#o(e,n){let r=Wt(e,n);if(!r)this.#t.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await xn(e.id,r.action,r.content),this.#t.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":r.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(i){this.#t.set(e.id,{tone:"bad",text:i.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var ct=class extends ce{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return d(e.id)??""}called(e){let n=d(e.tool),r=h(d(e.server)??"");return n?[h(n),r&&`of ${r}`].join(" ").trim():`every tool of ${r}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",r=d(e.until),i=d(e.arguments),s=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",r?`until ${k(r)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${s.join(", ")}</div>
      ${i?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${je(i)}</pre>`:l}
      <div class="meta">Since ${k(d(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var rr=te(class extends N{constructor(){super(...arguments),this.key=l}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(re(t),this.key=e),n}});var ir=(t,e,n)=>{let r=new Map;for(let i=e;i<=n;i++)r.set(t[i],i);return r},sr=te(class extends N{constructor(t){if(super(t),t.type!==O.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let r;n===void 0?n=e:e!==void 0&&(r=e);let i=[],s=[],o=0;for(let c of t)i[o]=r?r(c,o):o,s[o]=n(c,o),o++;return{values:s,keys:i}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,r]){let i=Cn(t),{values:s,keys:o}=this.dt(e,n,r);if(!Array.isArray(i))return this.ut=o,s;let c=this.ut??=[],u=[],p,g,m=0,y=i.length-1,b=0,T=s.length-1;for(;m<=y&&b<=T;)if(i[m]===null)m++;else if(i[y]===null)y--;else if(c[m]===o[b])u[b]=j(i[m],s[b]),m++,b++;else if(c[y]===o[T])u[T]=j(i[y],s[T]),y--,T--;else if(c[m]===o[T])u[T]=j(i[m],s[T]),ne(t,u[T+1],i[m]),m++,T--;else if(c[y]===o[b])u[b]=j(i[y],s[b]),ne(t,i[m],i[y]),y--,b++;else if(p===void 0&&(p=ir(o,b,T),g=ir(c,m,y)),p.has(c[m]))if(p.has(c[y])){let q=g.get(o[b]),vt=q!==void 0?i[q]:null;if(vt===null){let Qt=ne(t,i[m]);j(Qt,s[b]),u[b]=Qt}else u[b]=j(vt,s[b]),ne(t,i[m],vt),i[q]=null;b++}else We(i[y]),y--;else We(i[m]),m++;for(;b<=T;){let q=ne(t,u[T+1]);j(q,s[b]),u[b++]=q}for(;m<=y;){let q=i[m++];q!==null&&We(q)}return this.ut=o,re(t,u),P}});var ut=class{constructor(e,n,r){this.user=e;this.changed=n;this.settled=r}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#t=new Set;run(e){return _n(this.user,{item:n=>this.#r(Je(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#i(async()=>{let e=this.items,n=[],r;do{let o=await this.#s(r);n.push(...o.items),r=o.next}while(r&&n.length<e.length);this.items=n,this.next=r;let i=new Set(n.map(o=>o.id)),s=n.at(-1)?.id??"";for(let o of e)!i.has(o.id)&&(!r||o.id>s)&&await this.#n(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#i(async()=>{let e=await this.#s(this.next);this.items=or(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#t.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#n(e){this.#r(Je(await A(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#r(e){e&&(e.pending?this.items=or(this.items,this.#t.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#i(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#s(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),r=ee(await A(`/api/elicitations?${n}`),location.origin);return{...r,items:r.items.filter(i=>!this.#t.has(i.id))}}};function or(t,e){return[...new Map([...t,...e].map(r=>[r.id,r])).values()].sort((r,i)=>r.id<i.id?1:-1)}var Bt=500,pt=class extends v{static styles=[$,w,S,De];static properties={user:{}};#e;#t;#n;#r="";#i=!1;#s=new Map;#a=!1;#o;#l;#c="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#S),this.addEventListener("parley-answered",this.#d),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#S),this.removeEventListener("parley-answered",this.#d),this.#t?.abort(),this.#e=void 0}#u(){this.#t=new AbortController;let e=new ut(this.user,()=>this.#g(),n=>this.#p(n));return e.run(this.#t.signal),e}#g(){let{items:e,next:n,loading:r}=this.#e;(!this.#r||!e.some(o=>o.id===this.#r))&&this.#m();let i=e.filter(o=>!o.others).length,s=i===0?"":`${i}${n?"+":""}`;!r&&s!==this.#l&&(this.#l=s,this.dispatchEvent(new CustomEvent("inbox-count",{detail:s}))),this.requestUpdate()}#m(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#r=(n.find(r=>r.id<this.#r)??n.at(-1))?.id??"",e&&(this.#o="row")}#p(e){this.#s.delete(e.id),this.#n?.id===e.id?this.#n=e:this.#c=`No longer open: ${D(e)}`}#d=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#u(),n=this.#n!==void 0||this.#a;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#v(e)} ${this.#b(e)} ${this.#y(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#R(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#c}</div>`}#v({items:e,next:n}){return e.length===0?l:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#i?a`<button type="button" @click=${()=>{this.#_()}}>Choose all${n?`, up to ${Bt}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#s.size===0} @click=${this.#A}>Answer ${this.#s.size}…</button>
            <button type="button" class="quiet" @click=${this.#h}>Cancel</button>`:a`<button type="button" @click=${()=>this.#$(()=>this.#i=!0)}>Choose several</button>`}
    </div>`}#b({problem:e,connected:n,loading:r,items:i}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:l}
      ${n?l:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${i.length>0||e?l:r?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#y({items:e,next:n,loading:r}){return e.length===0?l:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#T}>
        ${sr(e,i=>i.id,i=>this.#E(i))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${r?"Reading…":"Show more"}</button></li>`:l}
      </ul>`}#E(e){let n=e.asker?` · for ${h(e.asker)}`:"";return a`<li>
      ${this.#i?a`<label class="pick"><span class="hidden">Choose: ${D(e)}</span
            ><input type="checkbox" .checked=${this.#s.has(e.id)} @change=${()=>this.#C(e)} /></label>`:l}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#r?0:-1} aria-current=${e.id===this.#n?.id}
        @focus=${()=>this.#$(()=>this.#r=e.id)} @click=${()=>this.#w(e)}>
        <strong dir="auto">${D(e)}</strong>
        <span class="clip" dir="auto">${oe(e)}</span>
        <span class="meta">${k(e.createdAt)}${n}</span>
      </button>
    </li>`}#R(e){let n=a`<button type="button" class="back" @click=${this.#x}>Back to the list</button>`;if(this.#a)return a`${n}<parley-inbox-many .items=${[...this.#s.values()]} @inbox-done=${this.#h}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let r=this.#n;if(!r)return a`<p class="empty keys">${e.items.length===0?l:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let i=e.items.some(o=>o.id!==r.id),s=!r.pending||!e.items.some(o=>o.id===r.id);return a`${n}
      <p class="meta">Asked ${k(r.createdAt)}${r.asker?a` for <bdi>${h(r.asker)}</bdi>`:l} ·
        <a href="/answer/${r.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${rr(r.id,a`<parley-question .request=${r.request} endpoint="/answer/${r.id}"></parley-question>`)}
      ${s?a`<div class="after">
            ${i?a`<button type="button" class="primary" id="next" @click=${this.#k}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:l}`}#$(e){e(),this.requestUpdate()}#w(e){this.#n=e,this.#r=e.id,this.#a=!1,this.#o="question",this.requestUpdate()}#k=()=>{let{items:e}=this.#e,n=e.find(r=>r.id<(this.#n?.id??""))??e[0];n&&this.#w(n)};#x=()=>{this.#n=void 0,this.#a=!1,this.#o="row",this.requestUpdate()};#C(e){this.#s.delete(e.id)||this.#s.set(e.id,e),this.requestUpdate()}async#_(){await this.#e?.upTo(Bt);for(let e of this.#e?.items.slice(0,Bt)??[])this.#s.set(e.id,e);this.requestUpdate()}#A=()=>{this.#s.size!==0&&(this.#a=!0,this.#n=void 0,this.#o="many",this.requestUpdate())};#h=()=>{this.#a&&this.#e?.reload(),this.#i=this.#a=!1,this.#s.clear(),this.#o="row",this.requestUpdate()};#T=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#S=e=>{let n=e.composedPath()[0],r=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#n||this.#a))return e.preventDefault(),this.#x();let i=n.classList.contains("row"),s={j:1,k:-1,...i&&{ArrowDown:1,ArrowUp:-1}}[e.key];r||s===void 0||(e.preventDefault(),this.#f(s,i))};#f(e,n){let{items:r}=this.#e,i=r.findIndex(o=>o.id===this.#r),s=r[Math.max(0,Math.min(r.length-1,n?i+e:i))];s&&(this.#r=s.id,this.#o="row",i+e>=r.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){let e=this.#o;if(this.#o=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#r)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function Vt(t,e,n){let r=ar(t);if(!r||r.protocol!=="https:"&&r.protocol!=="http:"||r.username!==""||r.password!=="")return;let{hostname:i,host:s,href:o,origin:c}=r,u=n&&(i===n||i.endsWith(`.${n}`)),p=u?n:s,g=o.indexOf("//")+2+(u?i.length-n.length:0);return{href:o,before:o.slice(0,g),trust:p,after:o.slice(g+p.length),foreign:c!==ar(e)?.origin,insecure:r.protocol==="http:"&&!Ji(i)}}function ar(t){try{return new URL(t??"")}catch{return}}function Ji(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var ue=class extends Error{constructor(n,r,i=[]){super(r??`status ${n}`);this.status=n;this.said=r;this.fields=i}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function dr(t,e,n,r){let i=JSON.stringify({conversationId:n,...r}),s=await Wi(t,e,{method:"POST",body:i});if(!s.ok)throw await Bi(s)}async function Wi(t,e,n){let r=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&r.set("content-type","application/json");let i=e.token||await e.getToken?.();return i&&r.set("authorization",`Bearer ${i}`),fetch(t,{...n,headers:r,cache:"no-store",credentials:i?"same-origin":"include"})}async function Bi(t){let e=f(Q(await t.text().catch(()=>""))),n=e?.error,r=[];for(let i of x(e?.fields)){let s=d(f(i)?.message),o=(d(f(i)?.field)??"").replace(/\[\d+\]$/,"");s&&r.push({field:o,message:s})}return new ue(t.status,d(n)??d(f(n)?.message),r)}var mt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let r=n+500-Date.now();this.#e=Math.abs(r)>2e3?r:0}},Ae=1e3,ft=60*Ae,ht=60*ft,lr=24*ht;function cr(t){let e=Math.max(0,t);if(e>=2*lr)return`${Math.floor(e/lr)} d`;if(e>=ht)return`${Math.floor(e/ht)} h ${Math.floor(e%ht/ft)} min`;let n=Math.ceil(e/Ae);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var Vi=[5*ft,ft,30*Ae,10*Ae];function ur(t,e){let n=Vi.filter(r=>t>r&&e<=r);return n.length>0&&e>0?Math.min(...n)/Ae:void 0}var gt=class{constructor(e,n,r){this.host=e;this.say=n;this.over=r;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#r=!1;start(e,n){this.#e=Date.parse(e??""),this.#t=n;let r=this.#e-n.now();this.left=r>0?r:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#r=!0,this.#i()}hostDisconnected(){this.#r=!1,this.#i()}#i(){clearInterval(this.#n),this.#r&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=ur(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function pr(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),r=Math.round(window.screenX+(window.outerWidth-e)/2),i=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${r},top=${i}`);return!s||s.closed?!1:(s.focus(),!0)}var hr=E`
  :host {
    display: block;
    container-type: inline-size;
  }
  .card {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
    overflow: clip;
  }
  .card.open {
    border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
    animation: arrive 0.22s ease-out;
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.7rem;
    padding: 0.85rem 1.1rem 0;
  }
  .badge {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: min(var(--_radius), 0.65rem);
    background: var(--_bubble);
    color: var(--_accent);
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: pretty;
  }
  bdi,
  .isolate {
    unicode-bidi: isolate;
  }
  .timer {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
    flex: none;
    padding: 0.15rem 0.55rem;
    border-radius: 99px;
    background: var(--_sunken);
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .timer svg {
    inline-size: 1em;
    block-size: 1em;
  }
  .timer.soon {
    background: color-mix(in srgb, var(--_warning) 14%, var(--_surface));
    color: var(--_warning);
    font-weight: 600;
  }
  .body {
    display: grid;
    gap: 1rem;
    padding: 0.85rem 1.1rem 1.1rem;
  }
  .message {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .message:has(.whole) {
    padding: 0;
    background: none;
  }
  .from {
    display: block;
    margin-block-end: 0.1rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .words {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  .words.exact {
    unicode-bidi: isolate;
  }
  dl {
    display: grid;
    gap: 0.7rem;
  }
  dt,
  .caption {
    margin-block-end: 0.2rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .address {
    display: block;
    color: var(--_muted);
    direction: ltr;
    text-align: start;
    word-break: break-all;
  }
  .address strong {
    color: var(--_text);
    font-size: 1.08em;
    font-weight: 700;
  }
  .arguments,
  .words.whole {
    max-block-size: 15rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    /* A shadow at an edge says that there is more beyond it. */
    --_shade: light-dark(rgb(20 30 50 / 22%), rgb(0 0 0 / 60%));
    background:
      linear-gradient(var(--_sunken) 40%, transparent) top / 100% 2.5rem no-repeat local,
      linear-gradient(transparent, var(--_sunken) 60%) bottom / 100% 2.5rem no-repeat local,
      linear-gradient(var(--_shade), transparent) top / 100% 0.75rem no-repeat scroll,
      linear-gradient(transparent, var(--_shade)) bottom / 100% 0.75rem no-repeat scroll,
      var(--_sunken);
    direction: ltr;
    text-align: left;
    white-space: pre-wrap;
    overflow: auto;
    tab-size: 2;
  }
  .form {
    display: grid;
    gap: 1.1rem;
  }
  .field {
    min-inline-size: 0;
  }
  .wrong {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_danger);
  }
  .field > label:not(.option),
  .legend,
  .strong {
    font-weight: 600;
  }
  .field > label:not(.option) {
    display: block;
    margin-block-end: 0.25rem;
  }
  .legend {
    margin-block-end: 0.15rem;
  }
  .required {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .hint {
    margin-block-end: 0.3rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .error {
    margin-block-end: 0.3rem;
    color: var(--_danger);
    font-size: 0.875rem;
    font-weight: 600;
  }
  :is(input, select, textarea)[aria-invalid="true"]:not([type="checkbox"]) {
    border-color: var(--_danger) !important;
  }
  textarea {
    resize: vertical;
    field-sizing: content;
    min-block-size: 5.5rem;
    max-block-size: 24rem;
  }
  .option {
    display: flex;
    align-items: flex-start;
    gap: 0.65rem;
    padding: 0.35rem 0;
    cursor: pointer;
  }
  .option input {
    flex: none;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin: 0.1rem 0 0;
    accent-color: var(--_accent);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
  }
  .status,
  .problem,
  .warn {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    font-size: 0.9rem;
  }
  .status svg,
  .problem svg,
  .warn svg {
    margin-block-start: 0.1em;
  }
  .status {
    color: var(--_muted);
  }
  .problem {
    padding: 0.6rem 0.8rem;
    border-radius: var(--_radius-small);
    background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
    color: var(--_danger);
    font-weight: 600;
  }
  .warn {
    color: var(--_warning);
  }
  .account {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .account bdi {
    color: var(--_text);
    font-weight: 600;
  }
  .settled header {
    padding-block-end: 0.85rem;
  }
  .settled .badge {
    background: var(--_sunken);
    color: var(--_muted);
  }
  .settled .badge.good {
    background: color-mix(in srgb, var(--_success) 14%, var(--_surface));
    color: var(--_success);
  }
  .settled .badge.bad {
    background: color-mix(in srgb, var(--_danger) 11%, var(--_surface));
    color: var(--_danger);
  }
  .settled .title {
    color: var(--_muted);
    font-size: 0.9em;
    font-weight: 500;
  }
  .settled .sentence {
    display: block;
    color: var(--_text);
    font-size: 1rem;
    font-weight: 600;
  }
  .settled .sentence:focus {
    outline: none;
  }
  .settled:has(.sentence:focus-visible) {
    outline: 2px solid var(--_accent);
  }
  @container (max-width: 26rem) {
    header {
      padding: 0.8rem 0.9rem 0;
    }
    .body {
      padding: 0.8rem 0.9rem 0.9rem;
    }
    .buttons > * {
      flex: 1 1 100%;
    }
    .arguments,
    .words.whole {
      max-block-size: min(12rem, 22dvh);
    }
    header:has(.timer) {
      flex-wrap: wrap;
    }
    header:has(.timer) .title {
      flex-basis: 60%;
    }
  }
  @media (forced-colors: active) {
    .card,
    .message,
    .badge {
      border: 1px solid CanvasText;
    }
  }

  .panel ul {
    display: grid;
    gap: 0.35rem;
    list-style: none;
    margin: 0.4rem 0 0;
    padding: 0;
  }
  .panel p {
    margin: 0;
  }
  .panel li {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
  }
  .panel li svg {
    flex: none;
    height: 1rem;
    width: 1rem;
  }
  .panel li bdi {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .panel li.good svg {
    color: var(--_success);
  }
  .panel li.bad svg {
    color: var(--_danger);
  }
`;var Qi=6e4,bt=class extends v{static styles=[$,w,hr];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#r=Object.create(null);#i;#s="ready";#a;#o={answered:!1,watched:!1};#l="";#c;#u=new gt(this,e=>this.#l=this.#d("secondsLeft",{n:e,service:this.#v()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new mt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#a}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#T("ready"),this.#i=[e,...this.#A(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#k)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#k)}willUpdate(e){e.has("request")&&this.#g(Fe(this.request))}#g(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#t=e?.mode==="form"?ie(e.requestedSchema,e.fieldOrder):void 0,this.#n=Mn(this.#t??[]),this.#r=Object.create(null),this.#i=this.#a=void 0,this.#s="ready",this.#o={answered:!1,watched:!1},this.#u.start(e?.expiresAt,this.clock)),this.pending?this.#o.watched=!0:this.#m()}#m(){this.#u.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#a=e,this.#m(),this.requestUpdate()}get#d(){return et(this.strings)}#v(){return Ne(He(this.#e)||this.#d("someone"))}#b(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#y(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...r]=this.#t;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!r.some(s=>s.required||s.kind!=="choice"&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return l;let e=this.#R(this.#e),n=this.#E();return a`${n?Dn(e,n):jn(e,this.#$())}
      <div class="hidden" role="status">${n&&this.#o.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?l:this.#i}</div>`}#E(){let e=this.#e.outcome??this.#a;return e==="elsewhere"?{tone:"neutral",sentence:this.#d("answerSettled")}:e&&Ze(this.#e,e,this.#o,this.#d)}#R(e){let n=this.#b();return{kind:this.#y(),question:e,service:this.#v(),phase:this.#s,problem:this.#i,address:e.mode==="url"?Vt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#r,say:this.#d,open:this.#w,submit:this.#x,decline:()=>{this.#h("decline")},decide:r=>this.#C(r),enter:(r,i)=>{this.#n={...this.#n,[r]:i},delete this.#r[r],this.requestUpdate()}}}#$(){let{left:e}=this.#u;if(e===void 0)return l;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=Qi?"soon":""}" role="timer" aria-live="off"
      title=${this.#d("expiresAt",{time:n})}>${R.clock}${this.#d("expiresIn",{time:cr(e)})}</span>`}#w=e=>{let{url:n,context:r}=this.#e,i=Vt(n,this.#b());if(!i)return e.preventDefault();this.#i=void 0,this.#s=i.foreign||pr(i.href)?"opened":"blocked",this.requestUpdate(),i.foreign&&r.trigger==="mcp_elicitation"&&r.settledBy!=="page"&&this.#h("accept")};#k=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#b()).origin&&(this.#s="confirming",this.requestUpdate(),this.#f("parley-hint",{elicitationId:n.elicitationId}))};#x=e=>{e.preventDefault();let{content:n,errors:r}=Ve(this.#t??[],this.#n,this.#d);this.#r=r,Object.keys(r).length>0?this.#_():this.#h("accept",n)};#C(e){let[n,...r]=this.#t??[],{content:i}=Ve(r.filter(p=>p.kind==="choice"),this.#n,this.#d),s=e==="always_allow";if(e==="allow_once"&&Object.keys(i).length>0){let p=n?.options.find(g=>g.value==="always_allow")?.label??this.#d("always_allow");return this.#i=this.#d("limitsUnused",{always:h(p)}),this.requestUpdate()}let o=s||e==="allow_once",{content:c}=Ve(r.filter(p=>p.kind==="string"),this.#n,this.#d),u={...s&&i,...!o&&c,decision:e};this.#h("accept",u,Nt(this.#t??[],u))}#_(){this.#i=this.#d("answerInvalid");let e=this.#t?.findIndex(n=>n.name in this.#r)??-1;e>=0&&(this.#c=On({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#A(e){let n=[];for(let{field:r,message:i}of e)this.#t?.some(s=>s.name===r)?this.#r[r]=i:n.push(i);return n}async#h(e,n,r){if(this.#s==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:e,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#i=void 0,this.#o={answered:!0,watched:!0,decision:this.#y()==="approval"?String(n?.decision):void 0,chosen:r},this.requestUpdate(),!this.#f("parley-answer",s)||!this.endpoint)return;let c=()=>this.#e?.elicitationId===i;try{await dr(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(u){c()&&this.#S(u,o);return}c()&&this.#p({action:e}),this.#f("parley-answered",s)}#T(e){this.#s=e,this.#o={answered:!1,watched:!0}}#S(e,n){this.#T(n);let r=e instanceof ue?e.status:0;if(e instanceof ue&&r===400){let i=this.#A(e.fields);this.#_(),(i.length>0||e.fields.length===0)&&(this.#i=i.join(" ")||e.said||this.#d("answerFailed"))}else r===409?this.#p("elsewhere"):r===410?this.#p({action:"expire"}):r===401?this.#i=this.#d("answerSignedOut"):r===403||r===404?this.#i=this.#d("answerForbidden"):this.#i=this.#d(r===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#f("parley-refused",{elicitationId:this.#e.elicitationId,status:r})}#f(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",bt);customElements.define("parley-inbox-many",lt);customElements.define("parley-inbox-questions",pt);customElements.define("parley-inbox-history",dt);customElements.define("parley-inbox-connections",at);customElements.define("parley-inbox-permissions",ct);nr();customElements.define("parley-inbox",ze);
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
