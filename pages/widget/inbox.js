var Pe=globalThis,Me=Pe.ShadowRoot&&(Pe.ShadyCSS===void 0||Pe.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Mt=Symbol(),vn=new WeakMap,be=class{constructor(e,n,i){if(this._$cssResult$=!0,i!==Mt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(Me&&e===void 0){let i=n!==void 0&&n.length===1;i&&(e=vn.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&vn.set(n,e))}return e}toString(){return this.cssText}},yn=t=>new be(typeof t=="string"?t:t+"",void 0,Mt),S=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((i,s,r)=>i+(a=>{if(a._$cssResult$===!0)return a.cssText;if(typeof a=="number")return a;throw Error("Value passed to 'css' function must be a 'css' function result: "+a+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+t[r+1],t[0]);return new be(n,t,Mt)},wn=(t,e)=>{if(Me)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let i=document.createElement("style"),s=Pe.litNonce;s!==void 0&&i.setAttribute("nonce",s),i.textContent=n.cssText,t.appendChild(i)}},qt=Me?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let i of e.cssRules)n+=i.cssText;return yn(n)})(t):t;var{is:Xi,defineProperty:es,getOwnPropertyDescriptor:ts,getOwnPropertyNames:ns,getOwnPropertySymbols:is,getPrototypeOf:ss}=Object,qe=globalThis,$n=qe.trustedTypes,rs=$n?$n.emptyScript:"",os=qe.reactiveElementPolyfillSupport,ve=(t,e)=>t,It={toAttribute(t,e){switch(e){case Boolean:t=t?rs:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},xn=(t,e)=>!Xi(t,e),kn={attribute:!0,type:String,converter:It,reflect:!1,useDefault:!1,hasChanged:xn};Symbol.metadata??=Symbol("metadata"),qe.litPropertyMetadata??=new WeakMap;var L=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=kn){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let i=Symbol(),s=this.getPropertyDescriptor(e,i,n);s!==void 0&&es(this.prototype,e,s)}}static getPropertyDescriptor(e,n,i){let{get:s,set:r}=ts(this.prototype,e)??{get(){return this[n]},set(a){this[n]=a}};return{get:s,set(a){let c=s?.call(this);r?.call(this,a),this.requestUpdate(e,c,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??kn}static _$Ei(){if(this.hasOwnProperty(ve("elementProperties")))return;let e=ss(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(ve("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(ve("properties"))){let n=this.properties,i=[...ns(n),...is(n)];for(let s of i)this.createProperty(s,n[s])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[i,s]of n)this.elementProperties.set(i,s)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let s=this._$Eu(n,i);s!==void 0&&this._$Eh.set(s,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let s of i)n.unshift(qt(s))}else e!==void 0&&n.push(qt(e));return n}static _$Eu(e,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return wn(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,i){this._$AK(e,i)}_$ET(e,n){let i=this.constructor.elementProperties.get(e),s=this.constructor._$Eu(e,i);if(s!==void 0&&i.reflect===!0){let r=(i.converter?.toAttribute!==void 0?i.converter:It).toAttribute(n,i.type);this._$Em=e,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(e,n){let i=this.constructor,s=i._$Eh.get(e);if(s!==void 0&&this._$Em!==s){let r=i.getPropertyOptions(s),a=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:It;this._$Em=s;let c=a.fromAttribute(n,r.type);this[s]=c??this._$Ej?.get(s)??c,this._$Em=null}}requestUpdate(e,n,i,s=!1,r){if(e!==void 0){let a=this.constructor;if(s===!1&&(r=this[e]),i??=a.getPropertyOptions(e),!((i.hasChanged??xn)(r,n)||i.useDefault&&i.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(a._$Eu(e,i))))return;this.C(e,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:i,reflect:s,wrapped:r},a){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,a??n??this[e]),r!==!0||a!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(n=void 0),this._$AL.set(e,n)),s===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[s,r]of i){let{wrapped:a}=r,c=this[s];a!==!0||this._$AL.has(s)||c===void 0||this.C(s,void 0,r,c)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};L.elementStyles=[],L.shadowRootOptions={mode:"open"},L[ve("elementProperties")]=new Map,L[ve("finalized")]=new Map,os?.({ReactiveElement:L}),(qe.reactiveElementVersions??=[]).push("2.1.2");var Lt=globalThis,_n=t=>t,Ie=Lt.trustedTypes,Tn=Ie?Ie.createPolicy("lit-html",{createHTML:t=>t}):void 0,Ut="$lit$",U=`lit$${Math.random().toFixed(9).slice(2)}$`,Nt="?"+U,as=`<${Nt}>`,Z=document,we=()=>Z.createComment(""),$e=t=>t===null||typeof t!="object"&&typeof t!="function",jt=Array.isArray,Pn=t=>jt(t)||typeof t?.[Symbol.iterator]=="function",Ot=`[ 	
\f\r]`,ye=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Sn=/-->/g,An=/>/g,K=RegExp(`>|${Ot}(?:([^\\s"'>=/]+)(${Ot}*=${Ot}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),En=/'/g,Rn=/"/g,Mn=/^(?:script|style|textarea|title)$/i,Dt=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),o=Dt(1),E=Dt(2),to=Dt(3),M=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),Cn=new WeakMap,G=Z.createTreeWalker(Z,129);function qn(t,e){if(!jt(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return Tn!==void 0?Tn.createHTML(e):e}var In=(t,e)=>{let n=t.length-1,i=[],s,r=e===2?"<svg>":e===3?"<math>":"",a=ye;for(let c=0;c<n;c++){let u=t[c],m,f,g=-1,T=0;for(;T<u.length&&(a.lastIndex=T,f=a.exec(u),f!==null);)T=a.lastIndex,a===ye?f[1]==="!--"?a=Sn:f[1]!==void 0?a=An:f[2]!==void 0?(Mn.test(f[2])&&(s=RegExp("</"+f[2],"g")),a=K):f[3]!==void 0&&(a=K):a===K?f[0]===">"?(a=s??ye,g=-1):f[1]===void 0?g=-2:(g=a.lastIndex-f[2].length,m=f[1],a=f[3]===void 0?K:f[3]==='"'?Rn:En):a===Rn||a===En?a=K:a===Sn||a===An?a=ye:(a=K,s=void 0);let _=a===K&&t[c+1].startsWith("/>")?" ":"";r+=a===ye?u+as:g>=0?(i.push(m),u.slice(0,g)+Ut+u.slice(g)+U+_):u+U+(g===-2?c:_)}return[qn(t,r+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},ke=class t{constructor({strings:e,_$litType$:n},i){let s;this.parts=[];let r=0,a=0,c=e.length-1,u=this.parts,[m,f]=In(e,n);if(this.el=t.createElement(m,i),G.currentNode=this.el.content,n===2||n===3){let g=this.el.content.firstChild;g.replaceWith(...g.childNodes)}for(;(s=G.nextNode())!==null&&u.length<c;){if(s.nodeType===1){if(s.hasAttributes())for(let g of s.getAttributeNames())if(g.endsWith(Ut)){let T=f[a++],_=s.getAttribute(g).split(U),R=/([.?@])?(.*)/.exec(T);u.push({type:1,index:r,name:R[2],strings:_,ctor:R[1]==="."?Le:R[1]==="?"?Ue:R[1]==="@"?Ne:ee}),s.removeAttribute(g)}else g.startsWith(U)&&(u.push({type:6,index:r}),s.removeAttribute(g));if(Mn.test(s.tagName)){let g=s.textContent.split(U),T=g.length-1;if(T>0){s.textContent=Ie?Ie.emptyScript:"";for(let _=0;_<T;_++)s.append(g[_],we()),G.nextNode(),u.push({type:2,index:++r});s.append(g[T],we())}}}else if(s.nodeType===8)if(s.data===Nt)u.push({type:2,index:r});else{let g=-1;for(;(g=s.data.indexOf(U,g+1))!==-1;)u.push({type:7,index:r}),g+=U.length-1}r++}}static createElement(e,n){let i=Z.createElement("template");return i.innerHTML=e,i}};function X(t,e,n=t,i){if(e===M)return e;let s=i!==void 0?n._$Co?.[i]:n._$Cl,r=$e(e)?void 0:e._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(t),s._$AT(t,n,i)),i!==void 0?(n._$Co??=[])[i]=s:n._$Cl=s),s!==void 0&&(e=X(t,s._$AS(t,e.values),s,i)),e}var Oe=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:i}=this._$AD,s=(e?.creationScope??Z).importNode(n,!0);G.currentNode=s;let r=G.nextNode(),a=0,c=0,u=i[0];for(;u!==void 0;){if(a===u.index){let m;u.type===2?m=new oe(r,r.nextSibling,this,e):u.type===1?m=new u.ctor(r,u.name,u.strings,this,e):u.type===6&&(m=new je(r,this,e)),this._$AV.push(m),u=i[++c]}a!==u?.index&&(r=G.nextNode(),a++)}return G.currentNode=Z,s}p(e){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,n),n+=i.strings.length-2):i._$AI(e[n])),n++}},oe=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,i,s){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=i,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=X(this,e,n),$e(e)?e===l||e==null||e===""?(this._$AH!==l&&this._$AR(),this._$AH=l):e!==this._$AH&&e!==M&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Pn(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==l&&$e(this._$AH)?this._$AA.nextSibling.data=e:this.T(Z.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:i}=e,s=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=ke.createElement(qn(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===s)this._$AH.p(n);else{let r=new Oe(s,this),a=r.u(this.options);r.p(n),this.T(a),this._$AH=r}}_$AC(e){let n=Cn.get(e.strings);return n===void 0&&Cn.set(e.strings,n=new ke(e)),n}k(e){jt(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,s=0;for(let r of e)s===n.length?n.push(i=new t(this.O(we()),this.O(we()),this,this.options)):i=n[s],i._$AI(r),s++;s<n.length&&(this._$AR(i&&i._$AB.nextSibling,s),n.length=s)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let i=_n(e).nextSibling;_n(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},ee=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,i,s,r){this.type=1,this._$AH=l,this._$AN=void 0,this.element=e,this.name=n,this._$AM=s,this.options=r,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=l}_$AI(e,n=this,i,s){let r=this.strings,a=!1;if(r===void 0)e=X(this,e,n,0),a=!$e(e)||e!==this._$AH&&e!==M,a&&(this._$AH=e);else{let c=e,u,m;for(e=r[0],u=0;u<r.length-1;u++)m=X(this,c[i+u],n,u),m===M&&(m=this._$AH[u]),a||=!$e(m)||m!==this._$AH[u],m===l?e=l:e!==l&&(e+=(m??"")+r[u+1]),this._$AH[u]=m}a&&!s&&this.j(e)}j(e){e===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Le=class extends ee{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===l?void 0:e}},Ue=class extends ee{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==l)}},Ne=class extends ee{constructor(e,n,i,s,r){super(e,n,i,s,r),this.type=5}_$AI(e,n=this){if((e=X(this,e,n,0)??l)===M)return;let i=this._$AH,s=e===l&&i!==l||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,r=e!==l&&(i===l||s);s&&this.element.removeEventListener(this.name,this,i),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},je=class{constructor(e,n,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){X(this,e)}},On={M:Ut,P:U,A:Nt,C:1,L:In,R:Oe,D:Pn,V:X,I:oe,H:ee,N:Ue,U:Ne,B:Le,F:je},ds=Lt.litHtmlPolyfillSupport;ds?.(ke,oe),(Lt.litHtmlVersions??=[]).push("3.3.3");var Ln=(t,e,n)=>{let i=n?.renderBefore??e,s=i._$litPart$;if(s===void 0){let r=n?.renderBefore??null;i._$litPart$=s=new oe(e.insertBefore(we(),r),r,void 0,n??{})}return s._$AI(t),s};var zt=globalThis,b=class extends L{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Ln(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return M}};b._$litElement$=!0,b.finalized=!0,zt.litElementHydrateSupport?.({LitElement:b});var ls=zt.litElementPolyfillSupport;ls?.({LitElement:b});(zt.litElementVersions??=[]).push("4.2.2");var Un="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var De;function We(t){if(!De){let i=0;De=Un.split(" ").map(s=>i+=parseInt(s,36))}let[e,n]=[0,De.length];for(;e<n;){let i=e+n>>1;De[i]<=t?e=i+1:n=i}return e%2===1}function cs(t){return We(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var ae=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function Wt(t){return ae.test(t)?"rtl":"ltr"}function Jt(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let i of t)n+=e(i.codePointAt(0))?jn(i):i;return n}function jn(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function h(t){return hs(Jt(t,We))}function te(t){let e=h(t);return ae.test(e)?`⁨${e}⁩`:e}var Dn=t=>t!==9&&t!==10;function ne(t){return Jt(t,e=>Dn(e)&&We(e))}var us=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function N(t){return Jt(t.replace(us,""),e=>Dn(e)&&cs(e))}function hs(t){return ae.test(t)?t.split(`
`).map(e=>ps(e)?e:Array.from(e,n=>ae.test(n)?jn(n):n).join("")).join(`
`):t}function ps(t){let e=0,n=!1;for(let{kind:i,text:s}of Ht(t)){let r=/\p{L}/u.test(s);if(i==="phrase")e++;else{if(/\p{N}/u.test(s)||r&&e>0&&!n)return!1;r&&(n=!0)}}return e<=1}var ze=ae.source,Nn=`(?:(?!\\p{N})${ze}|\\p{M})`,ms=new RegExp(`(?<number>(?:(?=\\p{N})${ze})+)|(?<phrase>(?=${ze})${Nn}+(?:[,.;:!?]? (?=${ze})${Nn}+)*)`,"gu");function Ht(t){let e=[],n=0,i=s=>{s>n&&e.push({text:t.slice(n,s)})};for(let s of t.matchAll(ms))i(s.index),e.push({kind:s.groups.number===void 0?"phrase":"number",text:s[0]}),n=s.index+s[0].length;return i(t.length),e}function zn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,i,s)=>{let r=s===void 0?[n,i]:[s];if(r[0]===void 0)return e;let a=String.fromCharCode(...r.map(c=>parseInt(c,16)));return ae.test(a)&&!We(a.codePointAt(0))?a:e})}function J(t){try{return JSON.parse(t)}catch{return}}function p(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function w(t){return Array.isArray(t)?t:[]}function d(t){return typeof t=="string"?t:void 0}function Je(t){if(J(t)===void 0)return ne(t);let e="",n=0,i=()=>`
`+"  ".repeat(n);for(let s of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(s){case"{":case"[":n++,e+=s+i();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+s:e+i()+s;break;case",":e+=s+i();break;case":":e+=": ";break;default:e+=ne(s)}return e}var Ft=class{#e="";#n=[];#t=!1;push(e){!this.#t&&e!==""&&(this.#t=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,i=[],s=/\r\n|\n|\r(?!$)/g,r=0;for(let a=s.exec(n);a;a=s.exec(n))this.#s(n.slice(r,a.index),i),r=s.lastIndex;return this.#e=n.slice(r),i}#s(e,n){e===""?(this.#n.length>0&&n.push(this.#n.join(`
`)),this.#n=[]):(e==="data"||e.startsWith("data:"))&&this.#n.push(e.slice(5).replace(/^ /,""))}};async function*Bt(t){let e=new Ft,n=new TextDecoder,i=t.getReader();try{for(;;){let{done:s,value:r}=await i.read();if(s)return;yield e.push(n.decode(r,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var A=class extends Error{constructor(n,i){super(i||"Something went wrong at the server. Try again.");this.status=n}status},fs="The server could not be reached. Check your connection and try again.";async function v(t,e={}){return J(await(await Wn(t,e)).text())}async function Wn(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(s){throw e.signal?.aborted?s:new A(0,fs)}if(n.ok)return n;n.status===401&&bs();let i=p(J(await n.text().catch(()=>"")));throw new A(n.status,gs(i)??d(i?.detail)??d(i?.error))}function gs(t){let e=w(t?.errors).flatMap(n=>d(p(n)?.message)??[]);return e.length>0?`This was not taken: ${e.join("; ")}.`:void 0}function bs(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var vs=429,Jn=1e4;async function Hn(t,e,n){let i=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let s=1e3;;s=Math.min(2*s,Jn))try{await v(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:i,headers:{"content-type":"application/json"}});return}catch(r){if(!(r instanceof A)||r.status!==vs)throw r;await Bn(s)}}var Fn=t=>`/api/elicitations/events?user=${encodeURIComponent(t)}`;async function He(t,e,n){for(let i=500;!n.aborted;i=Math.min(2*i,Jn)){try{let s=await Wn(t,{signal:n});for await(let r of Bt(s.body)){i=500,e.connected(!0);for(let a of r)ys(e,p(J(a)))}}catch{}if(n.aborted)return;e.connected(!1),await Bn(i)}}function ys(t,e){e?.id===void 0?t.reload():t.item(e)}var Bn=t=>new Promise(e=>setTimeout(e,t));var $=S`
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
`,k=S`
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
`;var ws={questions:"Questions",history:"History",conversations:"Conversations",connections:"Connections",permissions:"Permissions",notifications:"Notifications",administration:"Administration"},Fe=class extends b{static styles=[$,k,S`
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
    `];static properties={user:{},admin:{type:Boolean},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this.admin=!1,this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#t),document.addEventListener("visibilitychange",this.#n),this.#e=window.setInterval(this.#n,15e3),this.#t(),this.#n()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#t),document.removeEventListener("visibilitychange",this.#n),window.clearInterval(this.#e)}#n=()=>{document.visibilityState!=="visible"||this._part!=="questions"||v("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#t=()=>{let e=location.hash.slice(1).split("/")[0];this._part=this.#s().some(([n])=>n===e)?e:"questions"};#s=()=>Object.entries(ws).filter(([e])=>e!=="administration"||this.admin);render(){return o`<nav aria-label="Inbox">
        ${this.#s().map(([e,n])=>o`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?o`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#r}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return o`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"conversations":return o`<parley-inbox-conversations></parley-inbox-conversations>`;case"connections":return o`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return o`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions><parley-inbox-logins .user=${this.user}></parley-inbox-logins>`;case"notifications":return o`<parley-inbox-notifications></parley-inbox-notifications>`;case"administration":return o`<parley-inbox-admin></parley-inbox-admin>`;default:return o``}}#r=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var x=S`
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
  section[aria-labelledby] {
    display: grid;
    gap: 0.6rem;
    margin-block-start: 1.5rem;
  }
  h3 {
    font-size: 1rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    align-items: center;
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
`,Be=S`
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
`;function $s(t){let e=p(t)??{},n=p(e.absence);return{channels:w(e.channels).flatMap(i=>{let s=d(p(i)?.channel);return s?[{channel:s,after:Number(p(i)?.after)||0,off:p(i)?.off===!0}]:[]}),devices:w(e.push_subscriptions).flatMap(i=>{let s=d(p(i)?.id);return s?[{id:s,label:d(p(i)?.label),since:d(p(i)?.created_at)}]:[]}),email:d(e.email),absence:n&&{from:d(n.from)??"",until:d(n.until)??""},deputy:d(e.deputy)}}function j(t,e){t.dispatchEvent(new CustomEvent("inbox-change",{detail:e}))}var Ve=class extends b{static styles=[$,k,x];#e;#n=!1;#t;#s="";#i=!1;firstUpdated(){this.#r()}async#r(){try{this.#e=$s(await v("/api/me/channels")),this.#t=void 0}catch(e){this.#n=e instanceof A&&e.status===404,this.#t=this.#n?void 0:e.message}this.requestUpdate()}#o=async e=>{if(this.#i)return;let n=e.currentTarget;this.#i=!0;let i;try{this.#s=await e.detail.work()}catch(s){this.#s="",i=s.message}this.#i=!1,await this.#r(),this.#t??=i,this.requestUpdate(),await this.updateComplete,await n.updateComplete,e.detail.focus&&n.renderRoot.querySelector(e.detail.focus)?.focus()};render(){let e=this.#e;return o`<div class="bar"><h2>How you are told</h2></div>
      <p class="meta">You are told of a question that you do not look at: one way after the other, until it is answered.</p>
      ${this.#t?o`<p class="problem" role="alert">${this.#t} ${e?l:o`<button type="button" @click=${()=>{this.#r()}}>Try again</button>`}</p>`:l}
      <p role="status" class=${this.#s?"notice":"hidden"}>${this.#s}</p>
      ${this.#n||e?.channels.length===0?o`<p class="empty">This server tells nobody of questions. Whoever runs it can configure channels; until then, look here now and then.</p>`:l}
      ${e?this.#a(e):l}`}#a(e){let n=e.channels.some(i=>i.channel==="web_push");return o`${n?o`<parley-inbox-devices .reach=${e} @inbox-change=${this.#o}></parley-inbox-devices>`:l}
      ${e.channels.length>0?o`<parley-inbox-channels .reach=${e} @inbox-change=${this.#o}></parley-inbox-channels>`:l}
      <parley-inbox-absence .reach=${e} @inbox-change=${this.#o}></parley-inbox-absence>`}};var Vn=new Intl.DateTimeFormat(void 0,{dateStyle:"full"}),Qn=t=>new Date(new Date(t).valueOf()-1);function Yn(t){return[String(t.getFullYear()).padStart(4,"0"),String(t.getMonth()+1).padStart(2,"0"),String(t.getDate()).padStart(2,"0")].join("-")}function Kn(t,e=0){let[n,i,s]=t.split("-").map(Number);return new Date(n??NaN,(i??NaN)-1,(s??NaN)+e)}var Qe=class extends b{static styles=[$,k,x,S`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem 1rem;
        align-items: end;
      }
      label {
        display: grid;
        gap: 0.25rem;
        flex: 0 1 12rem;
        font-weight: 600;
      }
    `];static properties={reach:{}};render(){let{absence:e,deputy:n}=this.reach;return o`<section aria-labelledby="away">
      <h3 id="away">When you are away</h3>
      <p class="meta">
        ${n?o`While you are away, what needs your approval is also asked of your deputy, <bdi>${h(n)}</bdi>.`:"You have no deputy: what needs your approval waits for you, and for whom its rule names next."}
        Only the configuration of the server names deputies.
      </p>
      ${e?this.#e(e):l}
      <form @submit=${this.#n}>
        <label>First day <input type="date" name="from" required .value=${e?Yn(new Date(e.from)):""} /></label>
        <label>Last day <input type="date" name="to" required .value=${e?Yn(Qn(e.until)):""} /></label>
        <button>${e?"Change":"I am away then"}</button>
      </form>
    </section>`}#e({from:e,until:n}){let[i,s]=[new Date(e),Qn(n)],r=i.valueOf()<=Date.now()&&Date.now()<new Date(n).valueOf();return o`<p class="notice">
      <span>${r?"You are away":"You will be away"} from ${Vn.format(i)} to ${Vn.format(s)}.</span>
      <button type="button" @click=${this.#t}>${r?"I am back":"I am not"}</button>
    </p>`}#n=e=>{e.preventDefault();let n=new FormData(e.currentTarget),[i,s]=[Kn(String(n.get("from"))),Kn(String(n.get("to")),1)];j(this,{work:async()=>{if(!(s>i))throw new A(0,"The last day is before the first. Correct one of them.");let r=JSON.stringify({from:i.toISOString(),until:s.toISOString()});return await v("/api/me/absence",{method:"PUT",body:r,headers:{"content-type":"application/json"}}),"Stored."}})};#t=()=>j(this,{work:async()=>(await v("/api/me/absence",{method:"DELETE"}),"Stored. If it still says that you are away, the configuration of the server does; whoever runs it can change it."),focus:"input"})};var D={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},de=t=>(...e)=>({_$litDirective$:t,values:e}),H=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,i){this._$Ct=e,this._$AM=n,this._$Ci=i}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:ks}=On,Gn=t=>t;var Xn=t=>t.strings===void 0,Zn=()=>document.createComment(""),le=(t,e,n)=>{let i=t._$AA.parentNode,s=e===void 0?t._$AB:e._$AA;if(n===void 0){let r=i.insertBefore(Zn(),s),a=i.insertBefore(Zn(),s);n=new ks(r,a,t,t.options)}else{let r=n._$AB.nextSibling,a=n._$AM,c=a!==t;if(c){let u;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(u=t._$AU)!==a._$AU&&n._$AP(u)}if(r!==s||c){let u=n._$AA;for(;u!==r;){let m=Gn(u).nextSibling;Gn(i).insertBefore(u,s),u=m}}}return n},F=(t,e,n=t)=>(t._$AI(e,n),t),xs={},ce=(t,e=xs)=>t._$AH=e,ei=t=>t._$AH,Ye=t=>{t._$AR(),t._$AA.remove()};var q=de(class extends H{constructor(t){if(super(t),t.type!==D.PROPERTY&&t.type!==D.ATTRIBUTE&&t.type!==D.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Xn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===M||e===l)return e;let n=t.element,i=t.name;if(t.type===D.PROPERTY){if(e===n[i])return M}else if(t.type===D.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(i))return M}else if(t.type===D.ATTRIBUTE&&n.getAttribute(i)===e+"")return M;return ce(t),e}});var ti=(t,e,n)=>{let i=new Map;for(let s=e;s<=n;s++)i.set(t[s],s);return i},Ke=de(class extends H{constructor(t){if(super(t),t.type!==D.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let i;n===void 0?n=e:e!==void 0&&(i=e);let s=[],r=[],a=0;for(let c of t)s[a]=i?i(c,a):a,r[a]=n(c,a),a++;return{values:r,keys:s}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,i]){let s=ei(t),{values:r,keys:a}=this.dt(e,n,i);if(!Array.isArray(s))return this.ut=a,r;let c=this.ut??=[],u=[],m,f,g=0,T=s.length-1,_=0,R=r.length-1;for(;g<=T&&_<=R;)if(s[g]===null)g++;else if(s[T]===null)T--;else if(c[g]===a[_])u[_]=F(s[g],r[_]),g++,_++;else if(c[T]===a[R])u[R]=F(s[T],r[R]),T--,R--;else if(c[g]===a[R])u[R]=F(s[g],r[R]),le(t,u[R+1],s[g]),g++,R--;else if(c[T]===a[_])u[_]=F(s[T],r[_]),le(t,s[g],s[T]),T--,_++;else if(m===void 0&&(m=ti(a,_,R),f=ti(c,g,T)),m.has(c[g]))if(m.has(c[T])){let O=f.get(a[_]),Pt=O!==void 0?s[O]:null;if(Pt===null){let bn=le(t,s[g]);F(bn,r[_]),u[_]=bn}else u[_]=F(Pt,r[_]),le(t,s[g],Pt),s[O]=null;_++}else Ye(s[T]),T--;else Ye(s[g]),g++;for(;_<=R;){let O=le(t,u[R+1]);F(O,r[_]),u[_++]=O}for(;g<=T;){let O=s[g++];O!==null&&Ye(O)}return this.ut=a,ce(t,u),M}});var Vt=[0,30,60,300,900,3600,14400,86400,259200];function _s(t){if(t===0)return"at once";for(let[e,n]of[["day",86400],["hour",3600],["minute",60],["second",1]])if(t%n===0)return`after ${t/n} ${e}${t===n?"":"s"}`;return`after ${t} seconds`}var Ge=class extends b{static styles=[$,k,x,S`
      label {
        display: inline-flex;
        align-items: center;
        gap: 0.5rem;
        min-block-size: 2.625rem;
      }
      input[type="checkbox"] {
        inline-size: 1.3rem;
        block-size: 1.3rem;
        accent-color: var(--_accent);
      }
      select {
        inline-size: auto;
      }
    `];static properties={reach:{}};render(){let{channels:e}=this.reach;return o`<section aria-labelledby="order">
      <h3 id="order">In which order</h3>
      <ol class="things">
        ${Ke(e,n=>n.channel,(n,i)=>this.#e(n,i))}
      </ol>
    </section>`}#e(e,n){let i=this.#t(e),s=this.#s(e),r=Vt.includes(e.after)?Vt:[...Vt,e.after].sort((a,c)=>a-c);return o`<li class="thing" data-channel=${e.channel}>
      <div class="about">
        <strong>${i}</strong>
        ${s?o`<div class="meta">${s}</div>`:l}
      </div>
      <div class="buttons">
        <label><input type="checkbox" aria-label="${i}: on" .checked=${q(!e.off)} @change=${()=>this.#i(e,{off:!e.off})} />On</label>
        <select aria-label="When: ${i}" @change=${a=>this.#i(e,{after:Number(a.target.value)})}>
          ${r.map(a=>o`<option value=${a} .selected=${q(a===e.after)}>${_s(a)}</option>`)}
        </select>
        ${this.#n(e,n,-1,i)} ${this.#n(e,n,1,i)}
      </div>
    </li>`}#n(e,n,i,s){if(this.reach.channels.length<2)return l;let r=n+i,a=r>=0&&r<this.reach.channels.length,c=i<0?"Earlier":"Later";return o`<button type="button" class=${i<0?"up":"down"} aria-label="${c}: ${s}" aria-disabled=${!a} @click=${()=>a&&this.#r(e,r,i)}>${c}</button>`}#t({channel:e}){return e==="web_push"?"Notifications in your browsers":e==="email"?this.reach.email?`E-mail to ${h(this.reach.email)}`:"E-mail":`Webhook ${h(e.replace(/^webhook:/,""))}`}#s({channel:e,off:n}){return n?"Off: left out.":e==="web_push"&&this.reach.devices.length===0?"Left out: no browser of yours is turned on.":e==="email"&&!this.reach.email?"Left out: no verified address of yours is known. Sign in with one, or ask whoever runs this server.":""}#i(e,n){this.#o(this.reach.channels.map(i=>i===e?{...e,...n}:i))}#r(e,n,i){let s=this.reach.channels.filter(r=>r!==e);this.#o([...s.slice(0,n),e,...s.slice(n)],`[data-channel="${CSS.escape(e.channel)}"] .${i<0?"up":"down"}`)}#o(e,n){let i=JSON.stringify({channels:e});j(this,{work:async()=>(await v("/api/me/channels",{method:"PUT",body:i,headers:{"content-type":"application/json"}}),"Stored."),focus:n})}};var I=S`
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
  form.filter label.long {
    flex: 1 1 100%;
    max-inline-size: 46rem;
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
  .scrolls > table {
    min-inline-size: 38rem;
    overflow-wrap: break-word; /* what is too wide scrolls */
  }
  .things + .meta,
  h3 + .meta {
    margin-block: 0.4rem 0.8rem;
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
`;function Ze(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function xe(t){let e=p(t),n=d(e?.elicitationId),i=e?.mode;if(!(!e||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:d(e.message)??"",url:d(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:w(e.fieldOrder).flatMap(s=>d(s)??[]),expiresAt:d(e.expiresAt),context:Ss(p(e.context)??{}),approvers:Ts(e.approvers),outcome:As(e.outcome)}}function Ts(t){let e=p(t),n=e?.need;if(!e||typeof n!="number")return;let i=w(e.people).flatMap(s=>{let r=p(s),a=d(r?.name);if(!r||!a)return[];let c=d(r.decision);return[{name:a,decision:c,late:c===void 0&&d(r.at)!==void 0}]});return{need:n,people:i}}function Ss(t){let e=t.arguments;return{trigger:d(t.trigger),service:d(t.service),serviceTitle:d(t.serviceTitle),account:d(t.account),tool:d(t.tool),toolCallId:d(t.toolCallId),parentToolCallId:d(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:d(t.server),domain:d(t.domain),settledBy:d(t.settledBy)}}function As(t){let e=p(t);if(!e)return;let n=Object.entries(p(e.limits)??{}).flatMap(([a,c])=>typeof c=="string"?[[a,c]]:[]),i={via:d(e.via),reason:d(e.reason),at:d(e.at),decision:d(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},s=e.action;return s==="accept"||s==="decline"||s==="cancel"||s==="expire"?{action:s,by:d(e.by),...i}:{action:"cancel",...i}}function ue(t,e){let n=p(t)??{};return{items:w(n.items).flatMap(i=>he(i,e)??[]),next:d(n.next_cursor)}}function he(t,e){let n=p(t),i=d(n?.id);if(!n||!i)return;let s=p(n.labels)??{},r=m=>d(s[m]),a=r("brief"),c=a===void 0?ni(n,s,e):Es(n,s,a,`${e}/answer/${i}`),u=xe(c);if(u)return{id:i,pending:n.state==="pending",createdAt:d(n.created_at)??"",asker:r("asker")===d(n.to)?void 0:r("asker")?.replace(/^parley-program:/,"the program "),asks:r("ask")!==void 0,conversation:d(n.session),others:u.context.trigger==="approvers",long:a!==void 0,request:c,question:u}}function ni(t,e,n){let i=d(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:i?"page":e.settled_by},approvers:t.approvers,outcome:Rs(t.outcome)}}function Es(t,e,n,i){return{...ni({...t,url:i},e,new URL(i).origin),mode:"url",message:n,requestedSchema:void 0}}function Rs(t){let e=p(t);return e&&{...e,decision:e.decision??p(e.content)?.decision}}function pe(t,e=[]){let n=p(t);if(!n)return;let i=new Set(w(n.required)),s=[],r=c=>e.includes(c)?e.indexOf(c):e.length,a=Object.entries(p(n.properties)??{}).sort(([c],[u])=>r(c)-r(u));for(let[c,u]of a){let m=p(u),f=m&&Cs(m);if(!m||!f)return;s.push(Ps(c,f,m,i.has(c)))}return s}function Cs(t){switch(t.type){case"string":case"number":case"integer":return Xe(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return Xe(p(t.items)??{}).length>0?"choices":void 0}}function Ps(t,e,n,i){return{name:t,kind:e,required:i,nullable:n.nullable===!0,label:N(d(n.title)||t),description:N(d(n.description)??"")||void 0,format:Ms(n.format),minLength:_e(n.minLength),maxLength:_e(n.maxLength),pattern:d(n.pattern),minimum:ii(n.minimum),maximum:ii(n.maximum),options:Xe(e==="choices"?p(n.items)??{}:n),minItems:_e(n.minItems),maxItems:_e(n.maxItems),default:n.default}}function Ms(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function _e(t){return typeof t=="number"?t:void 0}function ii(t){let e=_e(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function si(t){return typeof t=="number"?String(t):d(t)}function Xe(t){let e=w(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(i=>{let s=si(p(i)?.const);return s===void 0?[]:[{value:s,label:N(d(p(i)?.title)||s)}]});let n=w(t.enumNames);return w(t.enum).flatMap((i,s)=>{let r=si(i);return r===void 0?[]:[{value:r,label:N(d(n[s])||r)}]})}var z=({name:t})=>t.startsWith("args.");function Te(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function ri(t){return Object.fromEntries(t.map(e=>[e.name,qs(e)]))}function qs(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:Te(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?Hs(e):e}function Qt(t,e,n){let i={content:Object.create(null),errors:Object.create(null)};for(let s of t){let{value:r,error:a}=Is(s,e[s.name],n);a!==void 0?i.errors[s.name]=a:r!==void 0&&(i.content[s.name]=r)}return i}function et(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function Is(t,e,n){let i={error:n("errorRequired",{label:et(t.label)})},s=t.nullable?{value:null}:i;switch(t.kind){case"boolean":return e===void 0?t.required?i:{}:{value:e};case"choices":return Os(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?s:t.required?i:{}}let r=typeof e=="string"?e:"",a=t.kind==="string"&&t.format===void 0;return(a&&!t.required?r==="":r.trim()==="")?t.required?i:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:s:t.kind==="string"?Ls(t,a?r:r.trim(),n):Ds(t,r.trim(),n)}function Os(t,e,n){let{minItems:i,maxItems:s}=t,r=et(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:i!==void 0&&e.length<i?{error:n("errorMinItems",{label:r,n:i})}:s!==void 0&&e.length>s?{error:n("errorMaxItems",{label:r,n:s})}:{value:e}}function Ls(t,e,n){let{minLength:i,maxLength:s}=t,r=et(t.label),a=[...e].length;if(i!==void 0&&a<i)return{error:n("errorMinLength",{label:r,n:i})};if(s!==void 0&&a>s)return{error:n("errorMaxLength",{label:r,n:s})};if(t.pattern!==void 0&&!Us(t.pattern,e))return{error:n("errorPattern",{label:r})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:r})};case"uri":return Ns(e)?{value:e}:{error:n("errorUri",{label:r})};case"date":return js(e)?{value:e}:{error:n("errorDate",{label:r})};case"date-time":{let c=Js(e);return c?{value:c}:{error:n("errorDateTime",{label:r})}}}return{value:e}}function Us(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function Ns(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function js(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function Ds(t,e,n){let{minimum:i,maximum:s}=t,r=et(t.label),a=zs(e);return a===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:r})}:t.kind==="integer"&&!Number.isInteger(a)?{error:n("errorInteger",{label:r})}:Ws(e)?i!==void 0&&a<i?{error:n("errorMinimum",{label:r,n:i})}:s!==void 0&&a>s?{error:n("errorMaximum",{label:r,n:s})}:{value:a}:{error:n("errorDigits",{label:r})}}function zs(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function Ws(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function Js(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${Yt(n)||"Z"}`}function Hs(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function Yt(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var ai=7;function di(t){let{field:e}=t;return e.kind==="boolean"&&!Te(e)?Gs(t):e.kind==="boolean"?oi(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?Ks(t):e.kind==="choice"&&e.options.length<=ai?oi(t,e.options):o`<div class=${tt(t)}>
    <label for=${t.id} dir="auto">${e.label}${Gt(t)}</label>
    ${nt(t)} ${e.kind==="choice"?Ys(t):Bs(t)}
  </div>`}function li(t){let{id:e,field:n}=t;return n.kind==="choices"||Te(n)||n.kind==="choice"&&n.options.length<=ai?`${e}-0`:e}var tt=t=>t.error===void 0?"field":"field wrong",Gt=t=>Se(t.field)?o` <span class="required">${t.say("required")}</span>`:l;function Se(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function nt(t){let{id:e,field:n,error:i,say:s}=t,r=ci(n,s);return o`
    ${n.description?o`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:l}
    ${r?o`<p class="hint" id="${e}-hint">${r}</p>`:l}
    ${i===void 0?l:o`<p class="error" id="${e}-error"><span class="hidden">${s("error")} </span>${i}</p>`}
  `}function me(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),ci(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):l}function ci(t,e){switch(t.kind){case"number":case"integer":return Kt(t.minimum,t.maximum,e);case"choices":{let n=Kt(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:Fs(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:Yt(new Date)});let n=Kt(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function Kt(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var Fs=t=>t.charAt(0).toLowerCase()+t.slice(1);function Bs(t){let{id:e,field:n,entry:i,enter:s}=t,r=typeof i=="string"?i:"",a=m=>s(m.target.value);if(n.kind==="string"&&n.format===void 0&&Qs(n))return o`<textarea id=${e} rows="4" dir="auto" .value=${q(r)} @input=${a}
      aria-describedby=${me(t)} aria-required=${Se(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:c,mode:u}=Vs(n);return o`<input id=${e} type=${c} inputmode=${u??l} autocomplete="off" dir="auto"
    spellcheck=${u?"false":l} autocapitalize=${u?"off":l} step=${c==="datetime-local"?"any":l}
    .value=${q(r)} @input=${a}
    aria-describedby=${me(t)} aria-required=${Se(n)} aria-invalid=${t.error!==void 0} />`}function Vs(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Qs(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function Ys(t){let{id:e,field:n,entry:i,say:s,enter:r}=t;return o`<select id=${e} @change=${c=>{let u=c.target.selectedIndex-1;r(n.options[u]?.value)}} aria-describedby=${me(t)}
    aria-required=${Se(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${i===void 0}>${s("choose")}</option>
    ${n.options.map(c=>o`<option .selected=${c.value===i}>${Zt(c,s)}</option>`)}
  </select>`}var Zt=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function oi(t,e){let{id:n,field:i,entry:s,say:r,enter:a}=t,c=m=>i.kind==="boolean"?m==="true":m,u=!i.required&&i.default===void 0&&!t.sure;return o`<div class=${tt(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${Se(i)}
    aria-invalid=${t.error!==void 0} aria-describedby=${me(t)}>
    <div class="legend" id="${n}-label" dir="auto">${i.label}${Gt(t)}</div>
    ${nt(t)}
    ${e.map((m,f)=>o`<label class="option">
        <input type="radio" id="${n}-${f}" name=${n} .checked=${q(s===c(m.value))} @change=${()=>a(c(m.value))} />
        <span dir="auto">${Zt(m,r)}</span>
      </label>`)}
    ${u?o`<label class="option">
          <input type="radio" name=${n} .checked=${q(s===void 0)} @change=${()=>a(void 0)} />
          <span>${r("noAnswer")}</span>
        </label>`:l}
  </div>`}function Ks(t){let{id:e,field:n,say:i,enter:s}=t,r=Array.isArray(t.entry)?t.entry:[],a=(c,u)=>s(n.options.map(m=>m.value).filter(m=>m===c?u:r.includes(m)));return o`<div class=${tt(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${me(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Gt(t)}</div>
    ${nt(t)}
    ${n.options.map((c,u)=>o`<label class="option">
        <input type="checkbox" id="${e}-${u}" .checked=${q(r.includes(c.value))} aria-invalid=${t.error!==void 0}
          @change=${m=>a(c.value,m.target.checked)} />
        <span dir="auto">${Zt(c,i)}</span>
      </label>`)}
  </div>`}function Gs(t){let{id:e,field:n,entry:i,enter:s}=t;return o`<div class=${tt(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${q(i===!0)} aria-describedby=${me(t)} aria-invalid=${t.error!==void 0}
        @change=${r=>s(r.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${nt(t)}
  </div>`}var P=t=>E`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,C={connect:P(E`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:P(E`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:P(E`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:P(E`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:P(E`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:P(E`<path d="M7 7l10 10M17 7 7 17"/>`),tool:P(E`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:P(E`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:P(E`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:P(E`<path d="M12 5v14M5 12h14"/>`),down:P(E`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:P(E`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:P(E`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:P(E`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:P(E`<path d="m9 6 6 6-6 6"/>`)};function Xt(t){return Ht(t).map(e=>e.kind===void 0?e.text:o`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function hi(t,e){let{question:n,service:i,say:s}=t;return o`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${Zs(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${pi(t)}>${Re(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?l:o`<div class="message">
            ${Ae(n)?l:o`<span class="from isolate" dir=${Wt(s("says",{service:""}))}>${s("says",{service:i})}</span>`}
            ${Xs(n)}
          </div>`}
      ${er(t)}
      ${n.context.account?o`<p class="account">${s("account")} <bdi>${h(n.context.account)}</bdi></p>`:l}
    </div>
  </div>`}function Zs({kind:t,question:e}){return e.context.trigger==="tool_approval"?C.approval:t==="waiting"?C.clock:t==="unsupported"?C.form:C[t]}var Ae=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function Xs(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!Ae(t))return o`<div class="words" dir="auto">${N(e)}</div>`;let i=Xt(ne(zn(e)));return Ae(t)?o`<div class="words exact whole" dir="ltr" role="region" aria-labelledby="title">${i}</div>`:o`<div class="words exact" dir="ltr">${i}</div>`}var pi=t=>Wt(Re({...t,service:""}));function Re(t){let{kind:e,question:n,service:i,say:s}=t,{trigger:r}=n.context;return r==="tool_approval"?s("approvalTitle",{service:i}):r==="approvers"?s("waitingTitle",{service:i}):e==="connect"?s(r==="credential_required"?"connectTitle":"visitTitle",{service:i}):s("formTitle",{service:i})}function mi(t,e){let n={good:C.done,bad:C.no,neutral:C.clock}[e.tone];return o`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${pi(t)}>${Re(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var B=t=>t===void 0?l:o`<p class="problem">${C.warning}<span>${t}</span></p>`;function er(t){switch(t.kind){case"connect":return tr(t);case"approval":return o`${Ae(t.question)?l:ui(t)} ${sr(t)}`;case"waiting":return o`${ir(t)} ${B(t.problem)}
        <div class="buttons">${Ee(t,"takeBack")}</div>`;case"form":return o`${t.question.context.trigger==="tool_approval"&&!Ae(t.question)?ui(t):l} ${cr(t)}`;case"unsupported":return o`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${B(t.problem)}
        <div class="buttons">${Ee(t,"decline")}</div>`}}function tr(t){let{address:e,say:n}=t;if(!e)return o`${B(n("unsafe"))} ${B(t.problem)}
      <div class="buttons">${Ee(t,"dismiss")}</div>`;let i=n(t.question.context.trigger==="credential_required"?"connect":"visit");return o`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?o`<p class="warn">${C.warning}<span>${n("insecure")}</span></p>`:l} ${nr(t,e)} ${B(t.problem)}
    <div class="buttons">
      ${e.foreign?o`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${i}</a>`:o`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):i}
          </button>`}
      ${Ee(t,"dismiss")}
    </div>
  `}function nr(t,e){let{say:n,phase:i}=t,s=o`<a href=${e.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return o`<p class="status">
        ${C.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?l:s}</span>
      </p>`;case"blocked":return B(o`${n("blocked")} ${s}`);case"confirming":return o`<p class="status">${C.clock}<span>${n("confirming")}</span></p>`}return l}function ui(t){let{context:e}=t.question,{say:n}=t,i=Je(e.arguments??""),s=i.split(`
`).length;return o`<dl>
    ${e.tool===void 0?l:o`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${h(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${s>8?n("argumentLines",{n:s}):n("arguments")}</dt>
      <dd>
        ${i===""?n("noArguments"):o`<pre class="arguments" role="region" aria-labelledby="arguments">${Xt(i)}</pre>`}
      </dd>
    </div>
  </dl>`}function ir({question:t,say:e}){let n=t.approvers;if(!n)return l;let i=n.people.filter(s=>s.decision&&s.decision!=="deny").length;return o`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:i,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(s=>{let r=s.decision==="deny"?"bad":s.decision?"good":"neutral",a={good:C.done,bad:C.no,neutral:C.clock}[r],c=r==="good"?"approverAllowed":r==="bad"?"approverDenied":s.late?"approverLate":"approverAsked";return o`<li class=${r}>${a}<bdi>${h(s.name)}</bdi><span>${e(c)}</span></li>`})}
    </ul>
  </div>`}function sr(t){let e=t.fields[0].options,n=e.find(s=>s.value==="asked_back"),i=e.find(s=>s.value==="changed");return o`${B(t.problem)}<div class="buttons">${e.filter(s=>s!==n&&s!==i).map(s=>en(t,s))}</div>
  ${rr(t,i)}${ar(t)}${or(t,n)}`}function en({say:t,phase:e,decide:n},{value:i,label:s}){return o`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
    aria-disabled=${e==="sending"} @click=${()=>n(i)}>
    ${s===i&&lr(i)?t(i):h(s)}
  </button>`}var it=(t,e,n=!1)=>di({id:`field-${t.fields.indexOf(e)}`,field:e,entry:t.entries[e.name],error:t.errors[e.name],say:t.say,sure:n,enter:i=>t.enter(e.name,i)}),tn=(t,e)=>o`<details class="narrow"><summary>${t}</summary><div class="form">${e}</div></details>`;function rr(t,e){return e?tn(t.say("edit"),o`${t.fields.filter(z).map(n=>it(t,n))}
      <div class="buttons">${en(t,e)}</div>`):l}function or(t,e){let n=t.fields.filter(i=>i.kind==="string"&&!z(i));return n.length===0&&!e?l:tn(t.say(e?"remark":"sayWhy"),o`${n.map(i=>it(t,i))} ${e?o`<div class="buttons">${en(t,e)}</div>`:l}`)}function ar(t){let{fields:e,entries:n,say:i}=t,s=e.slice(1).filter(r=>r.kind==="choice"&&!z(r));return s.length===0?l:tn(i("narrow"),o`${s.map(r=>it(t,r,!0))}
    ${s.some(r=>n[r.name]!==void 0)?o`<div class="buttons"><button type="button" @click=${()=>s.forEach(r=>t.enter(r.name,void 0))}>${i("noLimits")}</button></div>`:l}`)}var dr=["allow_once","always_allow","deny","asked_back"],lr=t=>dr.includes(t);function cr(t){let{fields:e,say:n}=t;return o`<form class="form" novalidate @submit=${t.submit}>
    ${e.map(i=>it(t,i))}
    ${B(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${n(t.phase==="sending"?"sending":"submit")}</button>
      ${Ee(t,"decline")}
    </div>
  </form>`}function Ee(t,e){return o`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function st(t,e,n,i){let s=pr(e,n,i),r=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return ur(e,s,i);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?fi(n.decision,n.chosen,"",i):e.decision!==void 0?fi(e.decision,hr(t,e),s,i):r?{tone:"good",sentence:i("connected",{place:s})}:{tone:"good",sentence:i(t.mode==="url"?"visited":"answered",{place:s})};case"decline":return{tone:"bad",sentence:i(r?"notConnected":"declined",{place:s})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:s})}:{tone:"neutral",sentence:i(e.reason==="superseded"?"superseded":"withdrawn")}}function ur(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let i=h(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:{tone:"neutral",sentence:n("withdrawn")}}function hr(t,{decision:e,limits:n}){return nn(pe(t.requestedSchema)??[],{...n,decision:e})}function nn(t,e){return t.flatMap(({name:i,options:s})=>s.find(r=>r.value===e[i]&&r.label!==r.value)?.label??[]).map(h).join(" · ")}function fi(t,e,n,i){switch(t){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?i("allowed_as",{chosen:e,place:n}):i("allowed_always",{place:n})};case"changed":return{tone:"good",sentence:i("allowed_changed",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function pr(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var rt=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,gi=rt("character"),bi=rt("choice"),mr=t=>t<60?rt("second")({n:t}):rt("minute")({n:t/60}),fr={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",sayWhy:"Say why",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",edit:"Change the arguments",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${mr(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_changed:"You allowed it with changes{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${gi(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${gi(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${bi(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${bi(t)}.`};function ot(t){return(e,n={})=>{let i=t?.[e]??fr[e];return typeof i=="function"?i(n):i.replace(/\{(\w+)\}/g,(s,r)=>r in n?String(n[r]):s)}}var sn=ot({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),gr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function y(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":gr.format(e)}var at=t=>te(Ze(t)||sn("someone"));function V({question:t}){let{tool:e,trigger:n}=t.context;return e&&n==="tool_approval"?`${te(e)} at ${at(t)}`:Re({kind:t.mode==="url"?"connect":"form",question:t,service:at(t),say:sn})}function fe({question:t,asker:e,long:n}){let{tool:i,trigger:s,server:r}=t.context;if(!i||!r||s!=="tool_approval"&&s!=="approvers")return vi(t.message);let[,a]=n?[]:/\nArguments:([^]*)/.exec(t.message)??[];return`May ${te(i)} be called${e?` for ${te(e)}`:""}? ${vi(a??"")}`.trim()}var vi=t=>h(t.trim().replace(/\s*\n\s*/g," ")),br={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function dt({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=st(t,{...e,via:"chat"},{answered:!1,watched:!1},sn),i=e.by?`by ${h(e.by)}`:"",s=e.via?br[e.via]??`through ${h(e.via)}`:"";return{...n,where:[i,s,y(e.at)].filter(r=>r!=="").join(" · ")}}var vr={pending:"Open",settled:"Settled","":"All"},ct=class extends b{static styles=[$,k,x,I];#e="pending";#n="";#t=[];#s;#i=!1;#r;#o="";#a="";#d=0;firstUpdated(){this.#c(!0)}async#c(e){let n=++this.#d;this.#i=!0,this.#r=void 0,this.requestUpdate();try{let i=new URLSearchParams({limit:"50",...this.#e&&{state:this.#e},...this.#n&&{user:this.#n},...!e&&this.#s&&{cursor:this.#s}}),s=ue(await v(`/api/elicitations?${i}`),location.origin);if(n!==this.#d)return;this.#t=e?s.items:[...this.#t,...s.items],this.#s=s.next}catch(i){if(n!==this.#d)return;this.#r=i.message}this.#i=!1,this.requestUpdate()}#u=e=>{e.preventDefault();let n=this.renderRoot.querySelector("form"),i=new FormData(n);this.#e=String(i.get("state")??""),this.#n=String(i.get("user")??"").trim(),this.#c(!0)};render(){let e=this.#t.length===0&&!this.#i&&!this.#r&&!this.#s;return o`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
      <form class="filter" @submit=${this.#u}>
        <label>Which<select name="state" @change=${this.#u}>${Object.entries(vr).map(([n,i])=>o`<option value=${n} ?selected=${n===this.#e}>${i}</option>`)}</select></label>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      <div role="status" class="meta">${this.#a}</div>
      ${e?o`<p class="empty">No such question is there.</p>`:l}
      <ul class="things">${this.#t.map(n=>this.#m(n))}</ul>
      ${this.#r?o`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#s||this.#r?o`<p><button type="button" @click=${()=>{this.#c(!1)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#m(e){let n=e.question.context.account,i=dt(e);return o`<li class="thing">
      <div class="about">
        <strong dir="auto">${lt(e)}</strong>
        <div class="clip" dir="auto">${fe(e)}</div>
        <div class="meta">To ${n?h(n):"a group"} · asked ${y(e.createdAt)}${e.asker?` ${e.asks?"by":"for"} ${h(e.asker)}`:""}${e.pending?` · open until ${y(e.question.expiresAt)}`:""}</div>
      </div>
      <div class="side">
        ${e.pending?this.#p(e):o`<span class=${i.tone}>${i.sentence}</span><div class="meta">${i.where}</div>`}
      </div>
    </li>`}#p(e){let n=i=>()=>{this.#o=i,this.requestUpdate()};return this.#o!==e.id?o`<button type="button" aria-label="Withdraw: ${lt(e)}" @click=${n(e.id)}>Withdraw</button>`:o`<button type="button" class="primary" aria-label="Really withdraw: ${lt(e)}" @click=${()=>{this.#h(e)}}>Really withdraw</button>
      <button type="button" class="quiet" @click=${n("")}>Keep</button>`}async#h(e){this.#o="";try{await v(`/api/elicitations/${encodeURIComponent(e.id)}/cancel`,{method:"POST"}),this.#a=`Withdrawn: ${lt(e)}.`}catch(n){this.#a=n.message}await this.#c(!0),this.renderRoot.querySelector("h2")?.focus()}};function lt({question:t}){let{trigger:e,tool:n}=t.context,i=at(t);return e==="credential_required"?`Account for ${i}`:e==="approvers"?`Waiting for others: ${i}`:e==="tool_approval"?n?`Approval of ${h(n)}, ${i}`:`Approval for ${i}`:`Question of ${i}`}function W(t){return w(t).flatMap(e=>{let n=p(e);return n?[n]:[]})}var Q=t=>W(p(t)?.items);function wi(t){let e=p(t)??{};return{since:d(e.since)??"",until:d(e.until)??"",looked:typeof e.looked_at=="number"?e.looked_at:0,counts:p(e.counts)??{},items:W(e.items),complete:e.complete!==!1,unknown:W(e.not_known).flatMap(n=>d(n.text)??[])}}function $i(t,e){let{position:n,source:i,approvers:s,...r}=t,a={...r};for(let u of["name","server","tool","when","approve"])e(u)?a[u]=e(u):delete a[u];let c=e("of").split(",").map(u=>u.trim()).filter(u=>u!=="");return c.length>0&&(a.approvers={need:Number(e("need"))||1,of:c}),a}function ki(t){let e=["name","server","tool","when","approve","approvers","position","source"];return Object.keys(t).filter(n=>!e.includes(n))}function rn(t){let e=w(t?.of).flatMap(n=>d(n)??[]);return`${String(t?.need??1)} of ${e.map(h).join(", ")}`}var yr=[["refuse","would have been refused","would have been refused"],["approvers","would have needed approvers","would have needed approvers"],["ask","would have been asked about","would have been asked about"],["pass","would have passed without a question","would have passed without a question"],["unknown","cannot be judged","cannot be judged"],["unchanged","is as before","are as before"]];function xi({counts:t}){return`${yr.flatMap(([n,i,s])=>typeof t[n]=="number"&&t[n]>0?[`${t[n]} ${t[n]===1?i:s}`]:[]).join("; ")}.`}var yi={pass:"nobody is asked",ask:"the person is asked",approvers:"approvers are asked",refuse:"refused",unknown:"not known"};function _i(t){return o`<table>
    <thead>
      <tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Call</th><th scope="col">By the rules of now</th><th scope="col">With this rule</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>{let n=d(e.then)??"",i=d(e.agent),s=p(e.approvers),r=d(e.why);return o`<tr>
          <td>${y(d(e.at))}</td>
          <td>${h(d(e.user)??"")}<div class="meta">${i?`by ${h(i)}`:"through the gateway"}</div></td>
          <td>${h(d(e.tool)??"")}, ${h(d(e.server)??"")}<div class="meta">${e.how?`it ${h(d(e.how)??"").replace("refused","was refused")}`:""}</div></td>
          <td>${yi[d(e.now)??""]??""}</td>
          <td class=${n==="refuse"?"bad":""}>${yi[n]??""}${s?`: ${rn(s)}`:""}${r?o`<div class="meta" dir="auto">${h(r)}</div>`:""}</td>
        </tr>`})}
    </tbody>
  </table>`}var Ti={always:"asks for every such call",unsafe:"asks for such calls of tools that are not read-only",never:"asks nobody",refuse:"refuses such calls"},wr={1:"the last day",7:"the last week",30:"the last 30 days"},ut=class extends b{static styles=[$,k,x,I];#e;#n={};#t;#s=!1;#i;#r="";#o="";firstUpdated(){this.#d(()=>this.#a())}async#a(){this.#e=Q(await v("/api/rules"))}async#d(e){this.#i=void 0,this.requestUpdate();try{await e()}catch(n){this.#i=n.message}this.#s=!1,this.requestUpdate(),await this.updateComplete}render(){return o`<div class="bar"><h2 tabindex="-1">Rules</h2></div>
      <div role="status" class="meta">${this.#r}</div>
      ${this.#e?.length===0?o`<p class="empty">There is no rule. What a server says holds: approve, in its settings.</p>`:l}
      <ol class="things">${this.#e?.map(e=>this.#c(e))}</ol>
      <p class="meta">The first that fits a call counts; of the configuration's and the tenant's own, the stricter.</p>
      ${this.#m()} ${this.#i?o`<p class="problem" role="alert">${this.#i}</p>`:l} ${this.#f()}`}#c(e){let n=d(e.name)??"",i=e.source==="api",s=w(e.choices).flatMap(r=>d(r)??[]);return o`<li class="thing">
      <div class="about">
        <strong>${h(n)}</strong>
        <div>${$r(e)} ${e.approvers?`asks ${rn(p(e.approvers))}`:Ti[d(e.approve)??""]??""}.</div>
        ${e.when?o`<div>Only when <code>${h(d(e.when)??"")}</code></div>`:l}
        ${s.length>0?o`<div class="meta">The person may say: ${s.map(h).join(", ")}</div>`:l}
        <div class="meta">${i?"Of the tenant":"Of the configuration: it is changed there"}</div>
      </div>
      <div class="side">${i?this.#u(e,n):l}</div>
    </li>`}#u(e,n){let i=s=>()=>{this.#o=s,this.requestUpdate()};return this.#o===n?o`<button type="button" class="primary" aria-label="Really remove: ${h(n)}" @click=${()=>{this.#v(n)}}>Really remove</button>
        <button type="button" class="quiet" @click=${i("")}>Keep</button>`:o`<button type="button" aria-label="Try a change of ${h(n)}" @click=${()=>this.#p(e)}>Try a change</button>
      <button type="button" class="quiet" aria-label="Remove: ${h(n)}" @click=${i(n)}>Remove</button>`}#m(){let e=this.#n,n=p(e.approvers),i=r=>d(e[r])??"",s=ki(e);return o`<h3 tabindex="-1" id="trying">Try a rule</h3>
      <p class="meta">It is judged on the calls that were recorded. Nothing holds before you store it.</p>
      ${s.length>0?o`<p class="meta">It keeps what is not asked for here: ${s.map(h).join(", ")}.</p>`:l}
      <form class="filter" @submit=${this.#l} @input=${this.#h}>
        <label>Name<input name="name" required autocomplete="off" maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" .value=${i("name")} /></label>
        <label>Server<input name="server" autocomplete="off" maxlength="100" placeholder="any; * and ? stand for others" .value=${i("server")} /></label>
        <label>Tool<input name="tool" autocomplete="off" maxlength="100" placeholder="any" .value=${i("tool")} /></label>
        <label>What it does<select name="approve">${Object.entries(Ti).map(([r,a])=>o`<option value=${r} ?selected=${r===(i("approve")||"always")}>${a}</option>`)}</select></label>
        <label class="long">Only when (an expression, such as args.amount &gt; 100)<input name="when" autocomplete="off" spellcheck="false" maxlength="4096" .value=${i("when")} /></label>
        <label>Approvers<input name="of" autocomplete="off" placeholder="instead of the person" .value=${w(n?.of).flatMap(r=>d(r)??[]).join(", ")} /></label>
        <label>How many of them<input name="need" type="number" min="1" max="50" .value=${String(n?.need??1)} /></label>
        <label>On the calls of<select name="days">${Object.entries(wr).map(([r,a])=>o`<option value=${r} ?selected=${r==="7"}>${a}</option>`)}</select></label>
        <button class="primary" aria-disabled=${this.#s}>${this.#s?"Trying…":"Try it"}</button>
      </form>`}#p(e){this.#n=e,this.#t=void 0,this.requestUpdate(),this.updateComplete.then(()=>this.renderRoot.querySelector("#trying")?.focus())}#h=()=>{this.#t&&(this.#t=void 0,this.requestUpdate())};#l=e=>{if(e.preventDefault(),this.#s)return;let n=new FormData(e.target),i=$i(this.#n,r=>String(n.get(r)??"").trim()),s=new Date(Date.now()-Number(n.get("days"))*24*36e5).toISOString();this.#n={...i},this.#t=void 0,this.#s=!0,this.#d(async()=>{this.#t={rule:i,trial:wi(await on("/api/rule-trials","POST",{rule:i,since:s}))}}).then(()=>this.renderRoot.querySelector("#found")?.focus())};#f(){if(!this.#t)return l;let{rule:e,trial:n}=this.#t,i=this.#e?.some(s=>s.name===e.name&&s.source==="api");return o`<h3 tabindex="-1" id="found">What it would have done</h3>
      <p>
        ${n.looked===0?o`No call was recorded from ${y(n.since)} to ${y(n.until)}.`:o`Of ${n.looked} calls from ${y(n.since)} to ${y(n.until)}: ${xi(n)}`}
      </p>
      ${n.complete?l:o`<p class="notice">There were more calls than one trial looks at, so these are not all.</p>`}
      ${n.items.length>0?o`<div class="scrolls" tabindex="0" role="region" aria-label="Calls for which it makes a difference">${_i(n.items)}</div>`:l}
      <details>
        <summary>What a trial cannot know</summary>
        <ul>${n.unknown.map(s=>o`<li>${s}</li>`)}</ul>
      </details>
      <p><button type="button" @click=${()=>{this.#g(e,i===!0)}}>${i?"Change":"Store"} the rule ${h(d(e.name)??"")}</button></p>`}async#g(e,n){let i=d(e.name)??"";await this.#d(async()=>{await(n?on(`/api/rules/${encodeURIComponent(i)}`,"PUT",e):on("/api/rules","POST",e)),this.#r=`Stored: ${h(i)}. It holds from now on.`,this.#t=void 0,this.#n={},await this.#a()}),this.#i||this.renderRoot.querySelector("h2")?.focus()}async#v(e){this.#o="",await this.#d(async()=>{await v(`/api/rules/${encodeURIComponent(e)}`,{method:"DELETE"}),this.#r=`Removed: ${h(e)}.`,this.#t=void 0,await this.#a()}),this.renderRoot.querySelector("h2")?.focus()}},on=(t,e,n)=>v(t,{method:e,body:JSON.stringify(n),headers:{"content-type":"application/json"}});function $r(t){let e=d(t.server),n=d(t.tool),s=Object.entries({read_only:"read-only",destructive:"destructive",idempotent:"idempotent",open_world:"open to the world"}).flatMap(([a,c])=>t[a]===void 0?[]:[`${t[a]===!0?"":"not "}${c}`]);return`For calls ${[n?`of ${h(n)}`:"",e?n?`at ${h(e)}`:`of ${h(e)}`:"",s.length>0?`whose tool is ${s.join(" and ")}`:""].filter(a=>a!=="").join(" ")||"of every tool"}, it`}var ge=t=>{let e=Date.parse(d(t)??"");return Number.isNaN(e)?void 0:e};function Si(t){let e=ge(t.created_at)??0,n=W(t.timeline).flatMap(r=>kr(r)??[]),i=d(t.status)??"",s=Math.max(e,...n.flatMap(r=>[r.from??0,r.to??0]));return{id:d(t.id)??"",user:d(t.user)??"",agent:d(t.agent)??"",parent:d(t.parent)??"",status:i,reason:d(t.reason)??"",createdAt:d(t.created_at)??"",from:e,to:i==="ended"?Math.max(s,ge(t.updated_at)??0):Math.max(s,Date.now()),spans:n,count:typeof t.timeline_count=="number"?t.timeline_count:n.length}}function kr(t){let e=t.kind;if(e!=="model"&&e!=="call"&&e!=="wait")return;let n=p(t.asked)??{},i=d(t.tool)??"",s=d(t.server)??"";return{kind:e,step:typeof t.step=="number"?t.step:0,what:[i,s].filter(r=>r!=="").map(h).join(", "),from:ge(t.from),to:ge(t.to),how:d(t.how),pending:t.pending===!0,asked:h(d(n.to)??""),needed:typeof t.needed=="number"?t.needed:0,words:t.approvers?W(t.approvers).map(xr):_r(n)}}var Ai=t=>t!==""&&t!=="deny"&&t!=="asked_back";function xr(t){let e=d(t.decision)??"";return{name:h(d(t.name)??""),decision:e?Ei(e):"",yes:Ai(e),at:ge(t.at)}}function _r(t){let e=d(t.action);if(!e)return[];let n=d(t.decision)??"",i=d(t.by)??"";return[{name:h(i),decision:n?Ei(n):i?Tr[e]??h(e):e==="expire"?"expired":"withdrawn",yes:e==="accept"&&(n===""||Ai(n)),at:ge(t.at)}]}var Tr={accept:"answered",decline:"declined",cancel:"dismissed",expire:"expired"},Sr={allow_once:"allowed",always_allow:"allowed from now on",deny:"denied",asked_back:"asked back",changed:"allowed with changes"},Ei=t=>Sr[t]??h(t);function an(t){switch(t.kind){case"model":return"The model";case"call":return t.what||"A call"}return`Waiting for ${(t.words.length>0&&t.needed>0?t.words.map(n=>n.name).join(", "):t.asked)||"somebody"}${t.what?`: ${t.what}`:""}`}function dn(t){if(t.kind==="call")return t.how??"";let e=t.words.filter(n=>n.decision!=="").map(n=>[n.name,n.decision].filter(i=>i!=="").join(" "));return t.needed>0&&e.unshift(`${t.needed} needed`),e.join(", ")}function Ri(t,e){return t.from===void 0?"":t.pending?`${ie(t.from,e.to)} so far`:t.to===void 0?"":ie(t.from,t.to)}function ie(t,e){let n=Math.max(0,e-t);if(n<1e3)return`${Math.round(n)} ms`;if(n<6e4)return`${(n/1e3).toFixed(n<1e4?1:0)} s`;let i=Math.round(n/6e4);if(i<60)return`${i} min`;let s=Math.floor(i/60);return s<48?i%60?`${s} h ${i%60} min`:`${s} h`:`${Math.floor(s/24)} days${s%24?` ${s%24} h`:""}`}function Ci(t,e){let n=[...new Set([t.from,t.to,...e.flatMap(r=>[r.from,r.to,...r.words.map(a=>a.at)])])].filter(r=>r!==void 0&&r>=t.from).sort((r,a)=>r-a),i=new Map,s=0;return n.forEach((r,a)=>{a>0&&(s+=Math.log1p((r-n[a-1])/50)),i.set(r,s)}),{at:r=>i.get(r)??0,total:s||1}}var Pi=20,Ar={working:["neutral","Working"],waiting:["neutral","Waiting"],done:["good","Done"],stopped:["neutral","Stopped"],step_limit:["bad","Stopped after too many steps"],failed:["bad","Failed"]},ht=class extends b{static styles=[$,k,x,I];#e="";#n=[];#t=!1;#s=!0;#i=!1;#r;#o=new Set;firstUpdated(){this.#a(!0)}async#a(e){this.#i=!0,this.#r=void 0,this.requestUpdate();try{let n=e?void 0:this.#n.at(-1),i=new URLSearchParams({limit:String(Pi),...this.#e&&{user:this.#e},...n&&{until:n.createdAt}}),s=await v(`/api/runs?${i}`),r=Q(s).map(Si);this.#n=e?r:[...this.#n,...r],this.#t=r.length===Pi,this.#s=p(s)?.complete!==!1}catch(n){this.#r=n.message}this.#i=!1,this.requestUpdate()}#d=e=>{e.preventDefault(),this.#e=String(new FormData(e.target).get("user")??"").trim(),this.#a(!0)};render(){return o`<div class="bar"><h2>Runs</h2><button type="button" @click=${()=>{this.#a(!0)}}>Look again</button></div>
      <form class="filter" @submit=${this.#d}>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      ${this.#s?l:o`<p class="notice">There are more runs than one look goes through, so some may be missing. Name a person to see all of theirs.</p>`}
      ${this.#n.length===0&&!this.#i&&!this.#r?o`<p class="empty">No agent was asked anything yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#n.map(e=>this.#c(e))}</ul>
      ${this.#r?o`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#t||this.#r?o`<p><button type="button" @click=${()=>{this.#a(this.#n.length===0)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#c(e){let[n,i]=Ar[e.reason||e.status]??["neutral",h(e.status)],s=e.spans.filter(c=>c.kind==="call").length,r=e.spans.filter(c=>c.kind==="wait").length,a=`${h(e.agent)} for ${h(e.user)}`;return o`<li class="thing">
      <div class="about">
        <strong>${a}</strong>
        <div class="meta">${y(e.createdAt)} · ${ie(e.from,e.to)}${e.status==="ended"?"":" so far"} · ${Mi(s,"call")} · ${Mi(r,"wait")} for people${e.parent?" · delegated by another run":""}</div>
      </div>
      <div class="side"><span class=${n}>${i}</span></div>
      <details class="wide" @toggle=${c=>this.#u(e.id,c.target.open)}>
        <summary>Timeline<span class="hidden"> of ${a}, ${y(e.createdAt)}</span></summary>
        ${this.#o.has(e.id)?o`<parley-run-timeline .run=${e}></parley-run-timeline>`:l}
      </details>
    </li>`}#u(e,n){n?this.#o.add(e):this.#o.delete(e),this.requestUpdate()}},Mi=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var Er={up:["good","Up"],down:["bad","Down"],needs_connection:["bad","Nobody has provided the credential that it takes"],unknown:["muted","Not looked at yet"]},pt=class extends b{static styles=[$,k,x,I];#e;#n=[];#t=new Map;#s;firstUpdated(){this.#i()}async#i(){this.#s=void 0;try{let[e,n]=await Promise.all([v("/api/servers"),v("/api/providers")]);this.#e=Q(e),this.#n=Q(n)}catch(e){this.#s=e.message}this.requestUpdate()}async#r(e,n=!1){if(!(this.#t.has(e)&&!n)){this.#t.set(e,{}),this.requestUpdate();try{this.#t.set(e,p(await v(`/api/servers/${encodeURIComponent(e)}/checklist?metadata=true`))??{})}catch(i){this.#t.set(e,i.message)}this.requestUpdate()}}render(){return o`<div class="bar"><h2>Servers</h2><button type="button" @click=${()=>{this.#i()}}>Look again</button></div>
      ${this.#s?o`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#e?.length===0?o`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>`:l}
      <ul class="things">${this.#e?.map(e=>this.#o(e))}</ul>
      ${this.#e?o`<h3>Providers</h3>`:l}
      ${this.#e&&this.#n.length===0?o`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>`:l}
      <ul class="things">${this.#n.map(Mr)}</ul>`}#o(e){let n=d(e.name)??"",i=p(e.status)??{},s=p(e.auth)??{},[r,a]=Er[e.enabled===!1?"":d(i.state)??""]??["muted",e.enabled===!1?"Disabled":""],c=w(e.agents).flatMap(m=>d(m)??[]),u=d(i.error);return o`<li class="thing">
      <div class="about">
        <strong>${h(d(e.title)??n)}</strong>
        <div class="meta">${h(d(e.url)??"a program of the configuration")}</div>
        <div class="meta">
          Calls need an approval: ${h(d(e.approve)??"")} · credential: ${Cr(s)}${c.length>0?` · agents: ${c.map(h).join(", ")}`:""}
          · from the ${e.source==="api"?"API":"configuration"}
        </div>
      </div>
      <div class="side">
        <span class=${r}>${a}</span>
        <div class="meta">${typeof i.tools=="number"?`${i.tools} tools`:""}${i.since?` since ${y(d(i.since))}`:""}</div>
      </div>
      ${u?o`<p class="wide bad" dir="auto">${h(u)}</p>`:l} ${Pr(i)}
      ${Rr(s)?this.#a(n):o`<p class="wide meta">${d(s.type)==="none"?"It takes no credential, so nobody has to connect.":"It takes a key or a token, so there is nothing to register."}</p>`}
    </li>`}#a(e){return o`<details class="wide" @toggle=${n=>n.target.open&&void this.#r(e)}>
        <summary>Setup checklist<span class="hidden"> of ${h(e)}</span></summary>
        ${this.#d(e)}
      </details>`}#d(e){let n=this.#t.get(e);if(typeof n=="string")return o`<p class="problem" role="alert">${n}</p>`;let i=Q(n).filter(r=>r.item!=="connection");if(i.length===0)return o`<p class="muted" role="status">Looking…</p>`;let s=d(n?.redirect_uri);return o`<p class=${n?.ready===!0?"good":"bad"} role="status">
        ${n?.ready===!0?"Everything is there. The chat asks people to connect.":"Something is missing before people can connect in the chat."}
      </p>
      ${s?o`<p>Register this redirect URI, to the letter: <code>${s}</code></p>`:l}
      <ul class="checks">
        ${i.map(r=>{let a=r.ok===!0;return o`<li>
            <span class="mark ${a?"good":"bad"}" aria-hidden="true">${a?"✓":"✗"}</span>
            <div><span class="hidden">${a?"Done: ":"Missing: "}</span>${h(d(r.detail)??"")}${r.fix?o`<div class="meta">${h(d(r.fix)??"")}</div>`:l}</div>
          </li>`})}
      </ul>
      <p><button type="button" @click=${()=>{this.#r(e,!0)}}>Check again<span class="hidden"> ${h(e)}</span></button></p>`}};function Rr(t){return d(t.type)==="oauth2"||d(t.type)==="mcp"||d(t.source)!==void 0}function Cr(t){let e=d(t.type)??"none";if(e==="none")return"none";let n={user:"each person's own",mentor:"each agent's own",platform:"one for all"},i=e==="bearer"||e==="api_key"?t.has_token===!0?", stored":t.scope==="platform"?", not stored here":"":"";return`${h(e)}, ${n[d(t.scope)??""]??""}${i}`}function Pr(t){let e=W(t.left_out);if(e.length===0)return l;let n=typeof t.left_out_count=="number"?t.left_out_count:e.length;return o`<details class="wide">
    <summary>${n} left out of what it lists</summary>
    <ul class="checks">
      ${e.map(i=>o`<li>
          <span class="mark" aria-hidden="true">–</span>
          <div>${h(d(i.kind)??"")} <code>${h(d(i.name)||"without a name")}</code>${i.part?`, its ${h(d(i.part)??"")}`:""}: <span dir="auto">${h(d(i.reason)??"")}</span></div>
        </li>`)}
    </ul>
    ${n>e.length?o`<p class="meta">These are the first ${e.length}.</p>`:l}
  </details>`}function Mr(t){let e=w(t.scopes).flatMap(s=>d(s)??[]),n=d(t.client_id),i=t.has_secret===!0;return o`<li class="thing">
    <div class="about">
      <strong>${h(d(t.title)??d(t.name)??"")}</strong>
      <div class="meta">${h(d(t.auth_url)??"")} · from the ${t.source==="api"?"API":"configuration"}</div>
      ${e.length>0?o`<div class="meta">Scopes: ${e.map(h).join(", ")}</div>`:l}
    </div>
    <ul class="checks wide">
      <li><span class="mark ${n?"good":"bad"}" aria-hidden="true">${n?"✓":"✗"}</span><div>${n?o`Client id <code>${h(n)}</code>`:"The client id is missing."}</div></li>
      <li>
        <span class="mark ${i?"good":"muted"}" aria-hidden="true">${i?"✓":"–"}</span>
        <div>${i?"The client secret is stored. It is never shown.":"No client secret is stored: that is right for a public client only."}</div>
      </li>
      <li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${d(t.redirect_uri)??""}</code></div></li>
    </ul>
  </li>`}var qi=40,ln=12,se=6,mt=class extends b{static styles=[$,k,x,I,S`
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
    `];static properties={run:{attribute:!1},_width:{state:!0}};#e;constructor(){super(),this._width=640}connectedCallback(){super.connectedCallback(),this.#e=new ResizeObserver(([e])=>{let n=Math.round(e.contentRect.width);n>0&&(this._width=n)}),this.#e.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#e?.disconnect()}render(){let{spans:e,count:n}=this.run;if(e.length===0)return o`<p class="muted">Nothing has happened in it yet.</p>`;let i=e.filter(s=>s.from!==void 0);return o`${i.length>0?this.#n(i):o`<p class="muted">When things happened was not kept yet when this ran.</p>`}
      <details>
        <summary>The same as a table</summary>
        <div class="scrolls" tabindex="0" role="region" aria-label="What the run was spent on">${qr(e)}</div>
      </details>
      ${n>e.length?o`<p class="meta">These are the first ${e.length} of ${n}.</p>`:l}`}#n(e){let{at:n,total:i}=Ci(this.run,e),s=this._width,r=m=>se+n(m)/i*(s-2*se),a=e.length*qi+4,c=e.filter(m=>m.kind==="wait").length,u=e.filter(m=>m.kind==="call").length;return o`<svg viewBox="0 0 ${s} ${a}" role="img" aria-label="Picture of the run: ${u} calls, ${c} waits for people, ${ie(this.run.from,this.run.to)} in all. The same is in the table below.">
        <defs>
          <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"></line></pattern>
        </defs>
        ${e.map((m,f)=>this.#t(m,f*qi,r,s))}
      </svg>
      <p class="meta legend">
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="model" width="22" height="12"></rect></svg>the model</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call" width="22" height="12"></rect></svg>a call</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call failed" width="22" height="12"></rect></svg>failed or refused</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="wait" x="1" y="1" width="20" height="10"></rect></svg>a wait for people</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><circle class="said" cx="15" cy="6" r="4.5"></circle></svg>somebody answered</span>
        <span>Long times are drawn shorter than they were.</span>
      </p>`}#t(e,n,i,s){let r=i(e.from),a=i(e.to??this.run.to),c=Math.max(a-r,3),u=[an(e),dn(e),Ri(e,this.run)].filter(f=>f!=="").join(" · "),m=Math.max(8,Math.floor((s-2*se)/6.6));return E`<text x=${se} y=${n+15} dir="auto">${u.length>m?u.slice(0,m-1)+"…":u}</text>
      <rect class="lane" x=${se} y=${n+21} width=${s-2*se} height=${ln} rx="3"></rect>
      <rect class="${e.kind} ${e.how??""}" x=${Math.min(r,s-se-3)} y=${n+21} width=${c} height=${ln} rx="3"></rect>
      ${e.words.map(f=>f.at===void 0?l:E`<circle class="said ${f.yes?"":"no"}" cx=${i(f.at)} cy=${n+21+ln/2} r="4.5"></circle>`)}`}};function qr(t){return o`<table>
    <thead>
      <tr><th scope="col">What</th><th scope="col">From</th><th scope="col">To</th><th scope="col">How long</th><th scope="col">What came of it</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>o`<tr>
          <td dir="auto">${an(e)}</td>
          <td>${Ii(e.from)}</td>
          <td>${e.pending?"goes on":Ii(e.to)}</td>
          <td>${e.from!==void 0&&e.to!==void 0?ie(e.from,e.to):""}</td>
          <td dir="auto">${dn(e)}</td>
        </tr>`)}
    </tbody>
  </table>`}var Ir=new Intl.DateTimeFormat(void 0,{timeStyle:"medium"});function Ii(t){if(t===void 0)return"not known";let e=new Date(t);return`${y(e.toISOString()).replace(/,? [^ ]+$/,"")}, ${Ir.format(e)}`}var Oi={servers:"Servers",rules:"Rules",questions:"Questions",runs:"Runs"},cn=class extends b{static styles=[$,k,x,S`
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
    `];static properties={_part:{state:!0}};constructor(){super(),this._part="servers"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#e),this.#e()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#e)}#e=()=>{let e=location.hash.split("/")[1]??"";this._part=e in Oi?e:"servers"};render(){return o`<nav aria-label="Administration">
        ${Object.entries(Oi).map(([e,n])=>o`<a href="#administration/${e}" aria-current=${e===this._part?"page":"false"}>${n}</a>`)}
      </nav>
      ${this.#n()}`}#n(){switch(this._part){case"questions":return o`<parley-admin-questions></parley-admin-questions>`;case"rules":return o`<parley-admin-rules></parley-admin-rules>`;case"runs":return o`<parley-admin-runs></parley-admin-runs>`;default:return o`<parley-admin-servers></parley-admin-servers>`}}};function Li(){customElements.define("parley-admin-servers",pt),customElements.define("parley-admin-rules",ut),customElements.define("parley-admin-questions",ct),customElements.define("parley-run-timeline",mt),customElements.define("parley-admin-runs",ht),customElements.define("parley-inbox-admin",cn)}var Y=class extends b{static styles=[$,k,x];static properties={user:{}};#e;#n;#t="";#s;firstUpdated(){this.#i()}async#i(){await this.#r(async()=>{let e=i=>{if(i instanceof A&&i.status===404)return{items:[]};throw i},n=p(await v(`${this.path}?${new URLSearchParams({user:this.user})}`).catch(e));this.#e=w(n?.items).flatMap(i=>[p(i)??{}])})}async#r(e){this.#n=void 0;try{await e()}catch(n){this.#n=n.message}this.requestUpdate()}render(){let e=this.#e;return o`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#n?o`<p class="problem" role="alert">${this.#n} <button type="button" @click=${()=>{this.#i()}}>Try again</button></p>`:l}
      <div role="status" class="meta">${this.#t}</div>
      ${e?.length===0?o`<p class="empty">${this.words.none}</p>`:l}
      <ul class="things">
        ${e?.map(n=>o`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#o(n)}</div>
          </li>`)}
      </ul>`}#o(e){let n=this.key(e),i=this.called(e),s=r=>()=>{this.#s=r,this.requestUpdate()};return this.#s!==n?o`<button type="button" aria-label="${this.words.take}: ${i}" @click=${s(n)}>${this.words.take}</button>`:o`<button type="button" class="primary" aria-label="${this.words.sure}: ${i}" @click=${()=>{this.#a(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${s(void 0)}>Keep</button>`}async#a(e){this.#s=void 0,await this.#r(async()=>{let n=p(await v(this.removal(e),{method:"DELETE"}));this.#t=d(n?.warning)??`Done: ${this.called(e)}.`,await this.#i()}),this.renderRoot.querySelector("h2")?.focus()}};var Or={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},ft=class extends Y{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return d(e.server)??""}called(e){return h(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=w(e.scopes).flatMap(r=>d(r)??[]),i=d(e.provider)??d(e.issuer),s=d(e.status)??"";return o`<strong>${this.called(e)}</strong>
      <div class=${s==="active"?"good":"bad"}>${Or[s]??h(s)}</div>
      <div class="meta">Used ${Lr(e)}${i?`, through ${h(i)}`:""}.</div>
      ${n.length>0?o`<div class="meta">It may: ${n.map(h).join(", ")}</div>`:l}
      <div class="meta">${e.used_at?`Last used ${y(d(e.used_at))}`:"Not used yet, as far as is known"}</div>
      <div class="meta">Connected ${y(d(e.created_at))}${e.updated_at?` · renewed ${y(d(e.updated_at))}`:l}</div>`}};function Lr(t){let e=p(t.used_by),i=[...w(e?.agents).flatMap(s=>d(s)??[]).map(s=>`by ${h(s)}`),...e?.gateway===!0?["by programs of yours at the gateway"]:[]];return i.length>0?i.join(", "):e?"by nobody at present":"for calls on your behalf"}var re=class extends Error{constructor(n,i,s=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=s}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function Ui(t,e,n,i){let s=JSON.stringify({conversationId:n,...i}),r=await Ur(t,e,{method:"POST",body:s});if(!r.ok)throw await Nr(r)}async function Ur(t,e,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let s=e.token||await e.getToken?.();return s&&i.set("authorization",`Bearer ${s}`),fetch(t,{...n,headers:i,cache:"no-store",credentials:s?"same-origin":"include"})}async function Nr(t){let e=p(J(await t.text().catch(()=>""))),n=e?.error,i=[];for(let s of w(e?.fields)){let r=d(p(s)?.message),a=(d(p(s)?.field)??"").replace(/\[\d+\]$/,"");r&&i.push({field:a,message:r})}return new re(t.status,d(n)??d(p(n)?.message),i)}function Ni(t){let e=crypto.getRandomValues(new Uint8Array(16));return`${t}_${[...e].map(n=>n.toString(16).padStart(2,"0")).join("")}`}function jr(t){let e=p(t),n=d(e?.id);return n?[{id:n,title:d(e?.title)??"",agent:d(e?.agent)??"",at:d(e?.updatedAt),waiting:e?.waiting===!0}]:[]}var ji=(t,e)=>`/?${new URLSearchParams({...e&&{agent:e},conversation:t})}`,gt=class extends b{static styles=[$,k,x,S`
      .begin {
        display: flex;
        gap: 0.5rem;
        align-items: center;
      }
      .begin select {
        inline-size: auto;
        max-inline-size: 14rem;
      }
      a.thing {
        color: inherit;
        text-decoration: none;
      }
      a.thing:hover {
        border-color: var(--_text);
      }
      .waits {
        padding: 0 0.6rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85rem;
      }
    `];#e;#n;#t;#s="";#i;#r=!1;connectedCallback(){super.connectedCallback(),document.addEventListener("visibilitychange",this.#o),this.#o()}disconnectedCallback(){super.disconnectedCallback(),document.removeEventListener("visibilitychange",this.#o)}#o=()=>{document.visibilityState==="visible"&&this.#a(void 0)};async#a(e){if(!this.#r){this.#r=!0,this.#i=void 0,this.requestUpdate();try{this.#t??=w(p(await v("/run/v1/models"))?.data).flatMap(r=>d(p(r)?.id)??[]);let n=p(await v(`/run/api/chat?${new URLSearchParams({limit:"50",...e&&{cursor:e}})}`)),i=w(n?.conversations).flatMap(jr),s=e?(this.#e??[]).filter(r=>!i.some(a=>a.id===r.id)):[];this.#e=[...s,...i],this.#n=d(n?.nextCursor)}catch(n){n instanceof A&&n.status===404?(this.#t=[],this.#e=[]):this.#i=n.message}this.#r=!1,this.requestUpdate()}}render(){return o`<div class="bar">
        <h2>Conversations</h2>
        ${this.#t?.length?this.#c(this.#t):l}
      </div>
      ${this.#i?o`<p class="problem" role="alert">${this.#i} <button type="button" @click=${()=>{this.#a(void 0)}}>Try again</button></p>`:l}
      ${this.#d()}
      <ul class="things">
        ${this.#e?.map(e=>o`<li>${Dr(e)}</li>`)}
      </ul>
      ${this.#n?o`<p><button type="button" @click=${()=>{this.#a(this.#n)}}>${this.#r?"Reading…":"Show more"}</button></p>`:l}`}#d(){return this.#t?.length===0?o`<p class="empty">This server has no agents to talk to.</p>`:this.#e?.length===0?o`<p class="empty">You have not said anything yet. Begin a conversation.</p>`:l}#c(e){let n=e.includes(this.#s)?this.#s:e[0],i=s=>{this.#s=s.target.value,this.requestUpdate()};return o`<div class="begin">
      ${e.length>1?o`<select aria-label="With which agent" @change=${i}>
            ${e.map(s=>o`<option value=${s} .selected=${s===n}>${h(s)}</option>`)}
          </select>`:l}
      <button type="button" class="primary" @click=${()=>location.assign(ji(Ni("conv"),n))}>New conversation</button>
    </div>`}};function Dr(t){return o`<a class="thing" href=${ji(t.id,t.agent)}>
    <span class="about">
      <strong dir="auto">${h(t.title)||"Without words"}</strong>
      <span class="meta"><br />With ${h(t.agent)} · ${y(t.at)}</span>
    </span>
    ${t.waiting?o`<span class="waits">Waits for you</span>`:l}
  </a>`}function un(){return window.isSecureContext?!("serviceWorker"in navigator)||!("PushManager"in window)||!("Notification"in window)?/iPhone|iPad/.test(navigator.userAgent)?"home-screen":"missing":{denied:"denied",granted:"allowed",default:"asks"}[Notification.permission]:"insecure"}var bt={insecure:"Browsers show notifications of pages that come by https only, and this one does not.",missing:"This browser shows no notifications of pages. Use another one, or be told another way.","home-screen":"On an iPhone or iPad, first add this page to the home screen: Share, then “Add to Home Screen”. Open it from there and come back here.",denied:"This browser was told to show no notifications of this page, and the page cannot ask again. Open the settings of the page, left of its address, allow notifications there, and come back."},zi="/inbox/sw.js",zr=2e4;async function hn(){return un()!=="allowed"?void 0:await(await navigator.serviceWorker.getRegistration(zi))?.pushManager.getSubscription()??void 0}async function pn(t){let e=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(t.endpoint));return[...new Uint8Array(e,0,16)].map(n=>n.toString(16).padStart(2,"0")).join("")}async function Wi(){let t=await Notification.requestPermission();if(t==="denied")throw new A(0,bt.denied);if(t!=="granted")throw new A(0,"Nothing was chosen, so nothing was turned on. Press the button again and allow notifications.");let e=await Hr(await Wr(),d(p(await v("/api/me/push-key"))?.key)??""),{endpoint:n,keys:i}=e.toJSON(),s=JSON.stringify({endpoint:n,key:i?.p256dh,auth:i?.auth,label:Fr(navigator.userAgent)});await v("/api/me/push-subscriptions",{method:"POST",body:s,headers:{"content-type":"application/json"}})}async function Ji(t){let e=await hn();await v(`/api/me/push-subscriptions/${encodeURIComponent(t)}`,{method:"DELETE"}),e&&await pn(e)===t&&await e.unsubscribe().catch(()=>!1)}function Hi(t){return v(`/api/me/push-subscriptions/${encodeURIComponent(t)}/test`,{method:"POST"})}async function Wr(){let t=await navigator.serviceWorker.register(zi).catch(n=>{throw new A(0,`This browser did not take what shows notifications: ${n.message}`)}),e=t.active??t.waiting??t.installing;return e&&e.state!=="activated"&&await Jr(e),t}function Jr(t){return new Promise((e,n)=>{let i=()=>n(new A(0,"This browser did not start what shows notifications. Reload the page and try again.")),s=setTimeout(i,zr);t.addEventListener("statechange",()=>{t.state!=="activated"&&t.state!=="redundant"||(clearTimeout(s),t.state==="activated"?e():i())})})}async function Hr({pushManager:t},e){let n={userVisibleOnly:!0,applicationServerKey:e};try{return await t.subscribe(n)}catch(i){let s=i;if(s.name==="NotAllowedError")throw new A(0,bt.denied);if(s.name!=="InvalidStateError")throw new A(0,Di)}return await(await t.getSubscription())?.unsubscribe(),t.subscribe(n).catch(()=>{throw new A(0,Di)})}var Di="This browser could not reach its push service, which brings notifications to it. Check your connection; some browsers have push messages turned off in their settings.";function Fr(t){let e=(s,r)=>Object.entries(s).find(([,a])=>a.test(t))?.[0]??r,n=e({Edge:/Edg/,Opera:/OPR\//,Firefox:/Firefox|FxiOS/,Chrome:/Chrome|CriOS/,Safari:/Safari/},"A browser"),i=e({iPhone:/iPhone/,iPad:/iPad/,Android:/Android/,Windows:/Windows/,Mac:/Mac OS X|Macintosh/,ChromeOS:/CrOS/,Linux:/Linux/},"");return i?`${n} on ${i}`:n}var vt=class extends b{static styles=[$,k,x];static properties={reach:{}};#e;#n;connectedCallback(){super.connectedCallback(),navigator.permissions?.query({name:"notifications"}).then(e=>{this.#n=e,this.isConnected&&e.addEventListener("change",this.#t)}).catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),this.#n?.removeEventListener("change",this.#t)}willUpdate(e){e.has("reach")&&this.#t()}#t=()=>{hn().then(e=>e&&pn(e)).catch(()=>{}).then(e=>{this.#e=e,this.requestUpdate()})};render(){let{devices:e}=this.reach;return o`<section aria-labelledby="devices">
      <h3 id="devices">Notifications in your browsers</h3>
      ${this.#s()}
      ${e.length===0?o`<p class="meta">No browser of yours shows any so far.</p>`:o`<ul class="things">
            ${e.map(n=>this.#i(n))}
          </ul>`}
    </section>`}#s(){let e=un();return e!=="asks"&&e!=="allowed"?o`<p class="notice">${bt[e]}</p>`:e==="allowed"&&this.reach.devices.some(n=>n.id===this.#e)?l:o`<p>
      <button type="button" class="primary" id="on" @click=${this.#r}>Turn on in this browser</button>
    </p>`}#i(e){let n=h(e.label??"A browser"),i=e.id===this.#e;return o`<li class="thing">
      <div class="about">
        <strong>${n}</strong>${i?o` <span class="good">this one</span>`:l}
        <div class="meta">Since ${y(e.since)}</div>
      </div>
      <div class="buttons">
        <button type="button" aria-label="Send a test: ${n}" @click=${()=>this.#o(e)}>Send a test</button>
        <button type="button" class="quiet" aria-label="Turn off: ${n}" @click=${()=>this.#a(e,n)}>Turn off</button>
      </div>
    </li>`}#r=()=>j(this,{work:async()=>(await Wi(),"This browser shows notifications now. Send a test to see one."),focus:".buttons > button, #on"});#o(e){j(this,{work:async()=>(await Hi(e.id),"Sent. It appears within a few seconds. If it does not, look whether the system of that device keeps notifications back.")})}#a(e,n){j(this,{work:async()=>(await Ji(e.id),`No more notifications: ${n}.`),focus:"#on, .buttons > button"})}};var yt=class extends b{static styles=[$,k,x];static properties={user:{}};#e=[];#n;#t=!1;#s;firstUpdated(){this.#i()}async#i(){if(!this.#t){this.#t=!0,this.#s=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#n&&{cursor:this.#n}}),n=ue(await v(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#n=n.next}catch(e){this.#s=e.message}this.#t=!1,this.requestUpdate()}}render(){return o`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#t&&!this.#s&&!this.#n?o`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#e.map(Br)}</ul>
      ${this.#s?o`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#n||this.#s?o`<p><button type="button" @click=${()=>{this.#i()}}>${this.#t?"Reading…":"Show more"}</button></p>`:l}`}};function Br(t){let e=dt(t);return o`<li class="thing">
    <div class="about">
      <strong dir="auto">${V(t)}</strong>
      <div class="clip" dir="auto">${fe(t)}</div>
      <div class="meta">Asked ${y(t.createdAt)}${t.asker?` ${t.asks?"by":"for"} ${h(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var wt=class extends Y{path="/api/logins";words={title:"Programs that act as you",none:"No program is logged in as you.",take:"End",sure:"Really end"};key(e){return d(e.id)??""}called(e){return`“${h(d(e.program)??"")}”`}removal(e){return`/api/logins/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=d(e.address);return o`<strong>${this.called(e)}</strong>
      <div>${e.scope==="mcp"?"MCP only":"All that you may do with a token, answers too"}</div>
      <div class="meta">Logged in ${y(d(e.created_at))}${n?` from ${h(n)}`:""} · until ${y(d(e.expires_at))}</div>`}};var Vr=4;function mn({question:t,long:e,others:n},i){if(n)return;let s=t.mode==="form"?pe(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&s?.name==="decision"&&s.options.some(a=>a.value===i)?{action:"accept",content:{decision:i}}:i==="deny"?{action:"decline"}:void 0}var $t=class extends b{static styles=[$,k,x,Be];static properties={items:{attribute:!1}};#e=[];#n=new Map;#t="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#t==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!mn(n,"allow_once")).length;return o`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#t==="asking"?o`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:l}
      <div class="bar">${this.#i(e)}</div>
      <div role="status" class="meta">${this.#r()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#s(n))}
        </tbody>
      </table>`}#s(e){let n=this.#n.get(e.id),i=e.question.context.trigger==="tool_approval";return o`<tr>
      <td>${V(e)}</td>
      <td class="words" dir="auto">${i?ne(e.question.message):N(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#i(e){if(this.#t==="done")return o`<button type="button" class="primary" @click=${()=>this.#d("inbox-done","")}>Back to the list</button>`;let n=this.#t==="sending";return o`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#o("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#o("deny")}}>Deny each</button>`}#r(){if(this.#t==="asking")return"";let e=s=>[...this.#n.values()].filter(r=>r.tone===s).length,[n,i]=[e("muted"),e("bad")];return`${e("good")} of ${this.#e.length} done${n>0?`, ${n} left open`:""}${i>0?`, ${i} not as you said`:""}.`}async#o(e){if(this.#t!=="asking"||e==="allow_once"&&!this.#e.some(s=>mn(s,e)))return;this.#t="sending",this.requestUpdate();let n=[...this.#e],i=async()=>{for(let s=n.shift();s;s=n.shift())await this.#a(s,e)};await Promise.all(Array.from({length:Vr},i)),this.#t="done",this.requestUpdate()}async#a(e,n){let i=mn(e,n);if(!i)this.#n.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await Hn(e.id,i.action,i.content),this.#n.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":i.content?"Denied.":"Declined."}),this.#d("inbox-answered",e.id)}catch(s){this.#n.set(e.id,{tone:"bad",text:s.message})}this.requestUpdate()}#d(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var kt=class extends Y{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return d(e.id)??""}called(e){let n=d(e.tool),i=h(d(e.server)??"");return n?[h(n),i&&`of ${i}`].join(" ").trim():`every tool of ${i}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",i=d(e.until),s=d(e.arguments),r=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",i?`until ${y(i)}`:"until you take it back"].filter(a=>a!=="");return o`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${r.join(", ")}</div>
      ${s?o`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${Je(s)}</pre>`:l}
      <div class="meta">Since ${y(d(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var Fi=de(class extends H{constructor(){super(...arguments),this.key=l}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(ce(t),this.key=e),n}});var xt=class{constructor(e){this.changed=e}changed;#e="";#n;show(e){let n=e?.others&&e.pending?e.id:"";if(n===this.#e||(this.#n?.abort(),this.#e=n,!n))return;let i=this.#n=new AbortController,s=r=>{let a=he(r,location.origin);!a||i.signal.aborted||(a.pending||i.abort(),this.changed(a))};He(`/api/elicitations/${encodeURIComponent(n)}/events`,{item:s,reload:()=>{},connected:()=>{}},i.signal)}};var _t=class{constructor(e,n,i){this.user=e;this.changed=n;this.settled=i}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#n=new Set;run(e){return He(Fn(this.user),{item:n=>this.#s(he(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#i(async()=>{let e=this.items,n=[],i;do{let a=await this.#r(i);n.push(...a.items),i=a.next}while(i&&n.length<e.length);this.items=n,this.next=i;let s=new Set(n.map(a=>a.id)),r=n.at(-1)?.id??"";for(let a of e)!s.has(a.id)&&(!i||a.id>r)&&await this.#t(a.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#i(async()=>{let e=await this.#r(this.next);this.items=Bi(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#n.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#t(e){this.#s(he(await v(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#s(e){e&&(e.pending?this.items=Bi(this.items,this.#n.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#i(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#r(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),i=ue(await v(`/api/elicitations?${n}`),location.origin);return{...i,items:i.items.filter(s=>!this.#n.has(s.id))}}};function Bi(t,e){return[...new Map([...t,...e].map(i=>[i.id,i])).values()].sort((i,s)=>i.id<s.id?1:-1)}var fn=500,Tt=class extends b{static styles=[$,k,x,Be];static properties={user:{}};#e;#n;#t;#s=new xt(e=>this.#w(()=>this.#t?.id===e.id&&(this.#t=e)));#i="";#r=!1;#o=new Map;#a=!1;#d;#c;#u="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#S),this.addEventListener("parley-answered",this.#f),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#S),this.removeEventListener("parley-answered",this.#f),this.#n?.abort(),this.#s.show(void 0),this.#e=void 0}#m(){this.#n=new AbortController;let e=new _t(this.user,()=>this.#p(),n=>this.#l(n));return e.run(this.#n.signal),e}#p(){let{items:e,next:n,loading:i}=this.#e;(!this.#i||!e.some(a=>a.id===this.#i))&&this.#h();let s=e.filter(a=>!a.others).length,r=s===0?"":`${s}${n?"+":""}`;!i&&r!==this.#c&&(this.#c=r,this.dispatchEvent(new CustomEvent("inbox-count",{detail:r}))),this.requestUpdate()}#h(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#i=(n.find(i=>i.id<this.#i)??n.at(-1))?.id??"",e&&(this.#d="row")}#l(e){this.#o.delete(e.id),this.#t?.id===e.id?this.#t=e:this.#u=`No longer open: ${V(e)}`}#f=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#m(),n=this.#t!==void 0||this.#a;return o`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#g(e)} ${this.#v(e)} ${this.#A(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#R(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#u}</div>`}#g({items:e,next:n}){return e.length===0?l:o`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#r?o`<button type="button" @click=${()=>{this.#x()}}>Choose all${n?`, up to ${fn}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#o.size===0} @click=${this.#_}>Answer ${this.#o.size}…</button>
            <button type="button" class="quiet" @click=${this.#b}>Cancel</button>`:o`<button type="button" @click=${()=>this.#w(()=>this.#r=!0)}>Choose several</button>`}
    </div>`}#v({problem:e,connected:n,loading:i,items:s}){return o`${e?o`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:l}
      ${n?l:o`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${s.length>0||e?l:i?o`<p class="empty">Looking for questions…</p>`:o`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#A({items:e,next:n,loading:i}){return e.length===0?l:o`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#T}>
        ${Ke(e,s=>s.id,s=>this.#E(s))}
        ${n?o`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${i?"Reading…":"Show more"}</button></li>`:l}
      </ul>`}#E(e){let n=e.asker?` · ${e.asks?"by":"for"} ${h(e.asker)}`:"";return o`<li>
      ${this.#r?o`<label class="pick"><span class="hidden">Choose: ${V(e)}</span
            ><input type="checkbox" .checked=${this.#o.has(e.id)} @change=${()=>this.#P(e)} /></label>`:l}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#i?0:-1} aria-current=${e.id===this.#t?.id}
        @focus=${()=>this.#w(()=>this.#i=e.id)} @click=${()=>this.#$(e)}>
        <strong dir="auto">${V(e)}</strong>
        <span class="clip" dir="auto">${fe(e)}</span>
        <span class="meta">${y(e.createdAt)}${n}</span>
      </button>
    </li>`}#R(e){let n=o`<button type="button" class="back" @click=${this.#k}>Back to the list</button>`;if(this.#a)return o`${n}<parley-inbox-many .items=${[...this.#o.values()]} @inbox-done=${this.#b}
          @inbox-answered=${a=>e.remove(a.detail)}></parley-inbox-many>`;let i=this.#t;if(!i)return o`<p class="empty keys">${e.items.length===0?l:o`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let s=e.items.some(a=>a.id!==i.id),r=!i.pending||!e.items.some(a=>a.id===i.id);return o`${n}
      <p class="meta">Asked ${y(i.createdAt)}${i.asker?o` ${i.asks?"by":"for"} <bdi>${h(i.asker)}</bdi>`:l} ·
        <a href="/answer/${i.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${Fi(i.id,o`<parley-question .request=${i.request} endpoint="/answer/${i.id}"></parley-question>`)}
      ${r?o`<div class="after">
            ${s?o`<button type="button" class="primary" id="next" @click=${this.#C}>Next question</button>`:o`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:l}`}#w(e){e(),this.requestUpdate()}#$(e){this.#t=e,this.#i=e.id,this.#a=!1,this.#d="question",this.requestUpdate()}#C=()=>{let{items:e}=this.#e,n=e.find(i=>i.id<(this.#t?.id??""))??e[0];n&&this.#$(n)};#k=()=>{this.#t=void 0,this.#a=!1,this.#d="row",this.requestUpdate()};#P(e){this.#o.delete(e.id)||this.#o.set(e.id,e),this.requestUpdate()}async#x(){await this.#e?.upTo(fn);for(let e of this.#e?.items.slice(0,fn)??[])this.#o.set(e.id,e);this.requestUpdate()}#_=()=>{this.#o.size!==0&&(this.#a=!0,this.#t=void 0,this.#d="many",this.requestUpdate())};#b=()=>{this.#a&&this.#e?.reload(),this.#r=this.#a=!1,this.#o.clear(),this.#d="row",this.requestUpdate()};#T=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#S=e=>{let n=e.composedPath()[0],i=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#t||this.#a))return e.preventDefault(),this.#k();let s=n.classList.contains("row"),r={j:1,k:-1,...s&&{ArrowDown:1,ArrowUp:-1}}[e.key];i||r===void 0||(e.preventDefault(),this.#y(r,s))};#y(e,n){let{items:i}=this.#e,s=i.findIndex(a=>a.id===this.#i),r=i[Math.max(0,Math.min(i.length-1,n?s+e:s))];r&&(this.#i=r.id,this.#d="row",s+e>=i.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){this.#s.show(this.isConnected?this.#t:void 0);let e=this.#d;if(this.#d=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#i)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function gn(t,e,n){let i=Vi(t);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:s,host:r,href:a,origin:c}=i,u=n&&(s===n||s.endsWith(`.${n}`)),m=u?n:r,f=a.indexOf("//")+2+(u?s.length-n.length:0);return{href:a,before:a.slice(0,f),trust:m,after:a.slice(f+m.length),foreign:c!==Vi(e)?.origin,insecure:i.protocol==="http:"&&!Qr(s)}}function Vi(t){try{return new URL(t??"")}catch{return}}function Qr(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var At=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},Ce=1e3,Et=60*Ce,St=60*Et,Qi=24*St;function Yi(t){let e=Math.max(0,t);if(e>=2*Qi)return`${Math.floor(e/Qi)} d`;if(e>=St)return`${Math.floor(e/St)} h ${Math.floor(e%St/Et)} min`;let n=Math.ceil(e/Ce);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var Yr=[5*Et,Et,30*Ce,10*Ce];function Ki(t,e){let n=Yr.filter(i=>t>i&&e<=i);return n.length>0&&e>0?Math.min(...n)/Ce:void 0}var Rt=class{constructor(e,n,i){this.host=e;this.say=n;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#n;#t;#s=!1;start(e,n){this.#e=Date.parse(e??""),this.#n=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#s=!0,this.#i()}hostDisconnected(){this.#s=!1,this.#i()}#i(){clearInterval(this.#t),this.#s&&this.left!==void 0&&(this.#t=setInterval(()=>this.#r(),1e3))}#r(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#n.now());let n=Ki(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function Gi(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),s=Math.round(window.screenY+(window.outerHeight-n)/2),r=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${i},top=${s}`);return!r||r.closed?!1:(r.focus(),!0)}var Zi=S`
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
    /* As high as it is: whoever comes to the buttons has had all of the call before them. */
    padding: 0.6rem 0.8rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    direction: ltr;
    text-align: left;
    white-space: pre-wrap;
    tab-size: 2;
    line-height: 1.35; /* a short call and its buttons are on a phone's screen together */
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
`;var Kr=6e4,Ct=class extends b{static styles=[$,k,Zi];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#n;#t={};#s=Object.create(null);#i;#r="ready";#o;#a={answered:!1,watched:!1};#d="";#c;#u=new Rt(this,e=>this.#d=this.#l("secondsLeft",{n:e,service:this.#f()}),()=>this.#h({action:"expire"}));constructor(){super(),this.clock=new At}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#o}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#T("ready"),this.#i=[e,...this.#_(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#$)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#$)}willUpdate(e){e.has("request")&&this.#m(xe(this.request))}#m(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#n=e?.mode==="form"?pe(e.requestedSchema,e.fieldOrder):void 0,this.#t=ri(this.#n??[]),this.#s=Object.create(null),this.#i=this.#o=void 0,this.#r="ready",this.#a={answered:!1,watched:!1},this.#u.start(e?.expiresAt,this.clock)),this.pending?this.#a.watched=!0:this.#p()}#p(){this.#u.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#h(e){this.#o=e,this.#p(),this.requestUpdate()}get#l(){return ot(this.strings)}#f(){return te(Ze(this.#e)||this.#l("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#v(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#n)return"unsupported";let[n,...i]=this.#n;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(r=>r.required||r.kind!=="choice"&&!z(r)&&!(r.kind==="string"&&r.name==="reason"))?"approval":"form"}render(){if(!this.#e)return l;let e=this.#E(this.#e),n=this.#A();return o`${n?mi(e,n):hi(e,this.#R())}
      <div class="hidden" role="status">${n&&this.#a.watched?n.sentence:this.#d}</div>
      <div class="hidden" role="alert">${n?l:this.#i}</div>`}#A(){let e=this.#e.outcome??this.#o;return e==="elsewhere"?{tone:"neutral",sentence:this.#l("answerSettled")}:e&&st(this.#e,e,this.#a,this.#l)}#E(e){let n=this.#g();return{kind:this.#v(),question:e,service:this.#f(),phase:this.#r,problem:this.#i,address:e.mode==="url"?gn(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#n??[],entries:this.#t,errors:this.#s,say:this.#l,open:this.#w,submit:this.#C,decline:()=>{this.#b("decline")},decide:i=>this.#P(i),enter:(i,s)=>{this.#t={...this.#t,[i]:s},delete this.#s[i],this.requestUpdate()}}}#R(){let{left:e}=this.#u;if(e===void 0)return l;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return o`<span class="timer ${e<=Kr?"soon":""}" role="timer" aria-live="off"
      title=${this.#l("expiresAt",{time:n})}>${C.clock}${this.#l("expiresIn",{time:Yi(e)})}</span>`}#w=e=>{let{url:n,context:i}=this.#e,s=gn(n,this.#g());if(!s)return e.preventDefault();this.#i=void 0,this.#r=s.foreign||Gi(s.href)?"opened":"blocked",this.requestUpdate(),s.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#b("accept")};#$=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#g()).origin&&(this.#r="confirming",this.requestUpdate(),this.#y("parley-hint",{elicitationId:n.elicitationId}))};#C=e=>{e.preventDefault();let{content:n,errors:i}=Qt(this.#n??[],this.#t,this.#l);this.#k(i)||this.#b("accept",n)};#k(e){this.#s=e;let n=Object.keys(e).length>0;return n&&this.#x(),n}#P(e){let[n,...i]=this.#n??[],s=f=>Qt(i.filter(f),this.#t,this.#l),{content:r}=s(f=>f.kind==="choice"&&!z(f)),a=e==="always_allow";if(e==="allow_once"&&Object.keys(r).length>0){let f=n?.options.find(g=>g.value==="always_allow")?.label??this.#l("always_allow");return this.#i=this.#l("limitsUnused",{always:h(f)}),this.requestUpdate()}let c=a||e==="allow_once"||e==="changed",u=s(f=>c?z(f):f.kind==="string"&&!z(f));if(c&&this.#k(u.errors))return;let m={...a&&r,...u.content,decision:e};this.#b("accept",m,nn(this.#n??[],m))}#x(){this.#i=this.#l("answerInvalid");let e=this.#n?.findIndex(n=>n.name in this.#s)??-1;e>=0&&(this.#c=li({id:`field-${e}`,field:this.#n[e]})),this.requestUpdate()}#_(e){let n=[];for(let{field:i,message:s}of e)this.#n?.some(r=>r.name===i)?this.#s[i]=s:n.push(s);return n}async#b(e,n,i){if(this.#r==="sending"||!this.pending)return;let{elicitationId:s}=this.#e,r={elicitationId:s,action:e,...n&&{content:n}},a=this.#r;if(this.#r="sending",this.#i=void 0,this.#a={answered:!0,watched:!0,decision:this.#v()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#y("parley-answer",r)||!this.endpoint)return;let c=()=>this.#e?.elicitationId===s;try{await Ui(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",r)}catch(u){c()&&this.#S(u,a);return}c()&&this.#h({action:e}),this.#y("parley-answered",r)}#T(e){this.#r=e,this.#a={answered:!1,watched:!0}}#S(e,n){this.#T(n);let i=e instanceof re?e.status:0;if(e instanceof re&&i===400){let s=this.#_(e.fields);this.#x(),(s.length>0||e.fields.length===0)&&(this.#i=s.join(" ")||e.said||this.#l("answerFailed"))}else i===409?this.#h("elsewhere"):i===410?this.#h({action:"expire"}):i===401?this.#i=this.#l("answerSignedOut"):i===403||i===404?this.#i=this.#l("answerForbidden"):this.#i=this.#l(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#y("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#y(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",Ct);customElements.define("parley-inbox-many",$t);customElements.define("parley-inbox-questions",Tt);customElements.define("parley-inbox-history",yt);customElements.define("parley-inbox-connections",ft);customElements.define("parley-inbox-permissions",kt);customElements.define("parley-inbox-absence",Qe);customElements.define("parley-inbox-channels",Ge);customElements.define("parley-inbox-conversations",gt);customElements.define("parley-inbox-devices",vt);customElements.define("parley-inbox-logins",wt);customElements.define("parley-inbox-notifications",Ve);Li();customElements.define("parley-inbox",Fe);
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
